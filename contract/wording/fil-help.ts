import type { help as english } from './en-help.ts';

export const help: typeof english = {
  help: {
    lead: 'Makipag-usap sa amin',
    leadText: 'Tungkol sa loan, bayad o account mo.',
    call: (phone) => `Tawagan ang ${phone}`,
    visit: 'Opisina namin',
    questions: 'Mga madalas itanong',
    answers: [
      [
        'Paano ako magbabayad?',
        'Sa Home, pindutin ang Paano magbayad. Makikita mo roon kung saan magbabayad at kung anong reference ang ilalagay. Pagkatapos, pindutin ang Nakabayad na ako para mahanap ito ng aming staff.',
      ],
      [
        'Kailan bibilangin ang bayad ko?',
        'Mula sa araw na nagbayad ka. Kukumpirmahin muna ito ng aming staff, at saka mo makukuha ang resibo.',
      ],
      [
        'Paano kung hindi ako makakabayad sa takdang araw?',
        'Tawagan kami bago ang takdang araw. Puwedeng bahagi muna ang bayaran: ibinibilang ang bawat piso mula sa araw ng bayad mo, at mas kaunti ang madadagdag na multa. Nasa kontrata mo kung paano ito kinukuwenta.',
      ],
    ],
    complaints: 'Mga reklamo',
    complaintsText: (days, resolveDays) =>
      `May hindi tama? Isulat dito. Sasagot kami sa loob ng ${days} araw at aayusin ito sa loob ng ${resolveDays} araw.`,
    failed: 'Hindi ma-load ang mga reklamo mo',
    none: 'Walang reklamo',
    newComplaint: 'Bagong reklamo',
    about: 'Tungkol saan ito?',
    categories: {
      collection: 'Paraan ng paniningil namin',
      amount: 'Halagang hindi tama',
      service: 'Serbisyo namin',
      privacy: 'Personal na datos ko',
      other: 'Iba pa',
    },
    loan: 'Loan (opsyonal)',
    noLoan: 'Walang partikular na loan',
    message: 'Ano ang nangyari?',
    send: 'Ipadala',
    sent: 'Natanggap namin ang reklamo mo',
    answerBy: (day) => `Sasagot kami hanggang ${day}.`,
    settleBy: (day) => `Aayusin namin ito hanggang ${day}.`,
    settledOn: (day) => `Naayos noong ${day}.`,
    sendFailed: 'Hindi naipadala',
    writeMore: 'Magdagdag ng mensahe',
    more: 'Mensahe mo',
    states: { open: 'Naipadala', acknowledged: 'Inaalam na namin', resolved: 'Naayos na' },
    you: 'Ikaw',
    us: 'Staff namin',
    messages: 'Mga mensahe',
  },
};
