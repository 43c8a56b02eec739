import type { myLoan as english } from './en-my-loan.ts';
import { counted } from './fil-contract.ts';

export const myLoan: typeof english = {
  myLoan: {
    failed: 'Hindi ma-load ang account ng loan mo',
    which: 'Loan',

    next: 'Susunod na bayad',
    dueOn: (date) => `Babayaran sa ${date}`,
    dueToday: 'Ngayon ang due date',
    dueSince: (date) => `Noong ${date} pa ang due date`,
    dueNow: 'Dapat bayaran ngayon',
    daysLeft: (days) => (days === 1 ? 'bukas' : `sa loob ng ${days} araw`),
    daysAgo: (days) => (days === 1 ? 'mula kahapon' : `${days} araw na`),
    noChargeBy: (date) => `Bayaran nang buo hanggang ${date} para walang madagdag na multa.`,
    stopCharge:
      'Kapag bayad na, wala nang madadagdag na multa. Kung hindi mo pa kayang bayaran lahat, bayaran muna ang kaya mo o kausapin kami: ibinibilang ang bawat piso mula sa araw ng bayad mo.',
    parts: {
      due: 'Mga hulog na babayaran',
      toTheEnd: 'Mga natitirang hulog',
      lateCharges: 'Multa',
      toReturn: 'Refund na ibabalik',
    },
    returnWhy: ({ amount, where }) =>
      `Pakibalik ang ${amount}. ${{ wallet: 'Inilagay namin ito sa wallet mo', cash: 'Ibinigay namin ito sa iyo nang cash', both: 'Ibinigay namin ito sa iyo, sa wallet at nang cash,' }[where]} bilang sobrang bayad, pero binawi kalaunan ang bayad na iyon.`,
    readAt: ({ date, time }) => `Ayon sa tala noong ${date}, ${time}`,
    after: ({ amount, date }) => `Sunod ang ${amount} sa ${date}`,
    writtenOff:
      'Wala nang madadagdag na multa. Utang mo pa rin ang natitira, at ibibilang ang bawat bayad mo.',

    howToPay: 'Paano magbayad',
    payBy: 'Bayaran hanggang',
    reference: 'Reference ng bayad',
    payThrough: 'Puwede kang magbayad sa',
    payAt: 'O magbayad ng cash sa',
    askWhere:
      'Itanong sa aming staff kung saang account magbabayad, at ibigay ang loan number mo bilang reference:',
    keepProof:
      'Itago ang patunay ng bayad. Ang araw ng bayad mo ang ibibilang, kahit mahuli ang pagtala ng aming staff. Lalabas dito ang resibo mo.',

    instalments: 'Mga hulog',
    all: (count) => `Ipakita lahat (${count})`,
    fewer: 'Ipakita ang mas kaunti',
    leftOf: (amount) => `${amount} pa`,

    lateCharges: 'Multa',
    instalment: (number) => `Hulog ${number}`,
    began: ({ due, grace }) => `Nagsimula noong ${due}: hindi nabayaran nang buo hanggang ${grace}.`,
    chargeOver: 'Hindi na madadagdagan.',
    lateRule: ({ rate, cap }) =>
      `${rate}% bawat buwan ng hindi pa bayad, binibilang bawat araw, at hindi hihigit sa ${cap}% ng hulog. Walang multa sa multa.`,
    chargesPaid: 'Bayad na',
    chargesWaived: 'Tinanggal',
    chargesOwed: 'Babayaran',

    everything: 'Kung babayaran ko na lahat',
    everythingLead: 'Walang singil sa maagang bayad.',
    payOn: 'Babayaran lahat sa',
    payOnHint: (last) => `Mula ngayon hanggang ${last}`,
    days: 'Ilang araw mula ngayon',
    daysFromToday: (days) => (days === 0 ? 'ngayon' : days === 1 ? 'bukas' : `sa ika-${days} na araw`),
    costs: 'Babayaran mo',
    saves: 'Matitipid mo',
    chooseDay: 'Pumili ng araw para makita kung magkano.',
    insteadOfAll: (amount) => `Sa halip na ${amount}:`,
    instead: (amount) => `Sa halip na ${amount}, ang kabuuan ng mga natitirang hulog.`,
    coolingOff: (days) =>
      `Sa loob ng ${days} araw mula nang mailabas ang loan, ang natanggap mo lang ang babayaran mo.`,
    tellStaff: 'Bago magbayad, sabihin sa aming staff na para ito sa buong loan.',
    costFailed: 'Hindi nakuwenta kung magkano',
    spoken: ({ date, cost, saved }) =>
      `${date}: ${cost} ang babayaran mo${saved && `, ${saved} ang matitipid mo`}`,

    receipts: 'Mga resibo',
    noReceipts: 'Wala pang bayad',
    noReceiptsText: 'Lalabas dito ang bawat bayad kasama ang resibo, kapag naitala na ng aming staff.',
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
      submitted: 'Sinusuri pa',
      rejected: 'Hindi nakumpirma',
      reversed: 'Binawi',
      withdrawn: 'Kinansela mo',
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
    clearance: 'Clearance certificate',
    clearanceOther: 'Certificate sa Ingles',

    paidOff: 'Bayad na',
    paidOffThanks: 'Wala ka nang utang sa loan na ito. Salamat!',
    paidOffOn: (date) => `Nabayaran nang buo noong ${date}`,
    saved: (amount) => `Nakatipid ka ng ${amount} dahil maaga kang nagbayad.`,
    cancelled: 'Kinansela ang paglabas ng loan na ito',
    cancelledText: 'Inalis ang pera sa wallet mo, at wala kang utang dito.',
    notReleased: 'Hindi pa nailalabas',
    notReleasedText:
      'Makikita rito ang mga bayad, ang mga resibo at ang natitira kapag nasa iyo na ang pera.',
    follow: 'Sundan ang application mo',
    elsewhere: 'Wala pa rito ang mga bayad mo',
    elsewhereText: 'Masasabi ng aming staff kung may babayaran ka. Nasa iskedyul ng hulog ang mga due date.',
    toSchedule: 'Buksan ang iskedyul ng hulog',
  },
};
