import { limits } from '#domain/limits.ts';
import type { help as english } from './en-help.ts';
import { counted } from './fil-contract.ts';

export const help: typeof english = {
  lead: 'Makipag-usap sa amin',
  leadText: 'Tungkol sa loan, bayad o account mo.',
  write: 'Isama ang loan number mo, para mahanap ka namin agad.',
  visit: 'Opisina namin',
  questions: 'Mga madalas itanong',
  answers: (decisionDays) => [
    [
      'Paano ako magbabayad?',
      'Sa Home, pindutin ang Paano magbayad. Makikita mo roon kung saan magbabayad at kung anong reference ang ilalagay. Pagkatapos, pindutin ang Nakabayad na ako para mahanap ito ng aming staff.',
    ],
    [
      'Kailan bibilangin ang bayad ko?',
      'Mula sa araw na nagbayad ka, kapag nakumpirma na ng aming staff. Kung mula sa wallet mo, ibibilang ito agad. Saka mo makukuha ang resibo.',
    ],
    [
      'Paano kung hindi ako makakabayad sa takdang araw?',
      'Tawagan kami bago ang takdang araw. Puwedeng bahagi muna ang bayaran: ibinibilang ang bawat piso mula sa araw ng bayad mo, at mas kaunti ang madadagdag na multa. Nasa kontrata mo kung paano ito kinukuwenta.',
    ],
    [
      'Gaano katagal bago may desisyon?',
      `${decisionDays ? `Hanggang ${counted(decisionDays)} araw na may pasok. ` : ''}Magme-message kami kapag may desisyon na. Habang naghihintay, makikita sa Home kung nasaan na ang application mo.`,
    ],
    [
      'Kailan ko makukuha ang pera?',
      'Kapag naaprubahan, ilalabas ito ng aming staff sa wallet mo o ipapadala nang direkta sa iyo, at magme-message kami. Mula sa wallet, iwi-withdraw mo ito sa sarili mong account.',
    ],
    [
      'Ano ang one-time code?',
      `${limits.otpLength} digits na pangkumpirma ng withdrawal. Kapag nag-withdraw ka, makikita mo kung paano ito makukuha. Isang beses lang itong magagamit. Huwag ibigay kaninuman, kahit sa aming staff.`,
    ],
  ],
  complaints: 'Mga reklamo',
  complaintsText: (days, resolveDays) =>
    `May hindi tama? Isulat dito. Tutugon kami sa loob ng ${days} araw at aayusin ito sa loob ng ${resolveDays} araw.`,
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
  answerBy: (day) => `Tutugon kami bago matapos ang ${day}.`,
  settleBy: (day) => `Aayusin namin ito bago matapos ang ${day}.`,
  settledOn: (day) => `Naayos noong ${day}.`,
  sendFailed: 'Hindi naipadala',
  writeMore: 'Magdagdag ng mensahe',
  more: 'Mensahe mo',
  takeBack: 'Bawiin ito',
  takeBackTitle: 'Babawiin mo ba ang reklamong ito?',
  takeBackText:
    'Hindi na namin ito aalamin, at puwede ka na ulit kontakin ng aming staff. Puwede kang magreklamo ulit kahit kailan.',
  takenBack: 'Binawi mo ang reklamo mo',
  takenBackOn: (day) => `Binawi mo ito noong ${day}.`,
  notTakenBack: 'Hindi ito nabawi',
  states: {
    open: 'Naipadala',
    acknowledged: 'Inaalam na namin',
    resolved: 'Naayos na',
    withdrawn: 'Binawi mo',
  },
  you: 'Ikaw',
  us: 'Staff namin',
};
