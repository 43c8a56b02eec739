import type { myLoan as english } from './en-my-loan.ts';
import { counted } from './fil-contract.ts';

export const myLoan: typeof english = {
  failed: 'Hindi ma-load ang account ng loan mo',
  which: 'Loan',
  returnWhy: ({ amount, where }) =>
    `Pakibalik ang ${amount}. ${{ wallet: 'Inilagay namin ito sa wallet mo', cash: 'Ibinigay namin ito sa iyo nang cash', both: 'Ibinigay namin ito sa iyo, sa wallet at nang cash,' }[where]} bilang sobrang bayad, pero binawi kalaunan ang bayad na iyon.`,
  readAt: (moment) => `Ayon sa tala ng ${moment}`,
  after: ({ amount, date }) => `Sunod ang ${amount} sa ${date}`,
  payBy: 'Bayaran hanggang',
  toTheEnd: 'Mga natitirang hulog',
  noChargeBy: (date) => `Bayaran nang buo hanggang ${date} para walang madagdag na multa.`,
  reference: 'Reference ng bayad',
  payThrough: 'Puwede kang magbayad sa',
  payAt: 'O magbayad ng cash sa',
  askWhere:
    'Itanong sa aming staff kung saang account magbabayad, at ibigay ang loan number mo bilang reference:',

  instalments: 'Mga hulog',
  all: (count) => `Ipakita lahat (${count})`,
  fewer: 'Ipakita ang mas kaunti',
  leftOf: (amount) => `${amount} pa`,
  instalment: (number) => `Hulog ${number}`,
  began: ({ due, grace }) => `Nagsimula noong ${due}: hindi nabayaran nang buo hanggang ${grace}.`,
  chargeOver: 'Hindi na madadagdagan.',
  lateRule: ({ rate, cap }) =>
    `${rate}% bawat buwan ng hindi pa bayad, binibilang bawat araw, at hindi hihigit sa ${cap}% ng hulog. Walang multa sa multa.`,
  chargesPaid: 'Bayad na',
  chargesWaived: 'Tinanggal',
  chargesOwed: 'Babayaran',

  split: {
    title: 'Interes at principal',
    first: ({ interest, principal }) =>
      `Sa unang hulog, ${interest} ang interes at ${principal} ang bawas sa loan.`,
    next: ({ interest, principal }) =>
      `Sa susunod na hulog, ${interest} ang interes at ${principal} ang bawas sa loan.`,
    image: ({ count, from, to, balance }) =>
      `Sa ${counted(count)} hulog, mula ${from} hanggang ${to} ang interes sa bawat isa, at nauubos ang balanseng ${balance}.`,
    interest: 'interes',
    principal: 'principal',
    balance: 'balanse ng loan',
    asTable: 'Ipakita bilang talahanayan',
    columns: { due: 'Due date', interest: 'Interes', principal: 'Principal', balance: 'Balanse' },
  },

  everything: 'Kung babayaran ko na lahat',
  anotherDay: 'Sa ibang araw',
  payOn: 'Babayaran lahat sa',
  days: 'Ilang araw mula ngayon',
  daysFromToday: (days) => (days === 0 ? 'ngayon' : days === 1 ? 'bukas' : `sa ika-${days} na araw`),
  costs: 'Babayaran mo',
  saves: 'Matitipid mo',
  chooseDay: 'Pumili ng araw para makita kung magkano.',
  insteadOfAll: (amount) => `Sa halip na ${amount}:`,
  coolingOff: (days) =>
    `Sa loob ng ${counted(days)} araw mula nang mailabas ang loan, ang natanggap mo lang ang babayaran mo.`,
  tellStaff: 'Bago magbayad, sabihin sa aming staff na para ito sa buong loan.',
  costFailed: 'Hindi nakuwenta kung magkano',
  spoken: ({ date, cost, saved }) =>
    `${date}: ${cost} ang babayaran mo${saved && `, ${saved} ang matitipid mo`}`,

  receipts: 'Mga resibo',
  noReceipts: 'Wala pang bayad',
  noReceiptsText: 'Lalabas dito ang bawat bayad, at ang resibo nito kapag naibilang na.',
  downloadReceipt: 'I-download ang resibo',
  paidOn: (date) => `Binayaran noong ${date}`,
  channels: {
    cash: 'Cash',
    bank_transfer: 'Bank transfer',
    instapay: 'InstaPay',
    pesonet: 'PESONet',
    gcash: 'GCash',
    maya: 'Maya',
    cheque: 'Tseke',
    wallet: 'Mula sa wallet mo',
  },
  paymentStatuses: {
    submitted: 'Kukumpirmahin pa',
    rejected: 'Hindi nakumpirma',
    reversed: 'Binawi',
    withdrawn: 'Binawi mo',
  },
  wentTo: 'Napunta sa',
  asPrinted: 'Ayon sa naka-print:',
  asCountedToday: 'Ayon sa bilang ngayon:',
  countedAnew: 'May bayad na mas maaga ang petsa na naitala o binawi pagkatapos ma-print ang resibong ito.',
  shares: ({ interest, principal }) => `kasama rito: interes ${interest}, principal ${principal}`,
  toInstalment: (number) => `hulog ${number}`,
  toInstalments: (range) => `mga hulog ${range}`,
  toLateCharges: 'multa',
  toCredit: 'sobrang bayad',
  toSettle: 'pagsasara ng loan',

  papers: 'Mga papeles',
  statement: 'Statement',
  statementTable: 'Statement bilang CSV',
  statementOther: 'Statement sa Ingles',
  clearanceOther: 'Certificate sa Ingles',

  paidOff: 'Bayad na',
  paidOffThanks: 'Wala ka nang utang sa loan na ito. Salamat!',
  paidOffOn: (date) => `Nabayaran nang buo noong ${date}`,
  saved: (amount) => `Nakatipid ka ng ${amount} dahil maaga kang nagbayad.`,
  cancelled: 'Kinansela ang paglabas ng loan na ito',
  cancelledText: 'Inalis ang pera sa wallet mo, at wala kang utang dito.',
  notReleased: 'Hindi pa nailalabas',
  notReleasedText: 'Makikita rito ang mga bayad, ang mga resibo at ang natitira kapag nasa iyo na ang pera.',
  follow: 'Sundan ang application mo',
  elsewhere: 'Wala pa rito ang mga bayad mo',
  elsewhereText: 'Masasabi ng aming staff kung may babayaran ka. Nasa iskedyul ng hulog ang mga due date.',
  toSchedule: 'Buksan ang iskedyul ng hulog',
};
