import type { help as english } from './en-help.ts';

export const help: typeof english = {
  help: {
    lead: 'Makipag-usap sa amin',
    leadText: 'Tungkol sa loan, bayad o account mo.',
    call: (phone) => `Tawagan ang ${phone}`,
    visit: 'Opisina namin',
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
