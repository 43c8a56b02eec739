import { limits } from '#domain/limits.ts';
import type { contract as english } from './en-contract.ts';

/**
 * A number before what it counts, with the linker between them: "na" after what is read as ending in apat, anim or siyam; after
 * the other figures it is only spoken.
 */
export const counted = (count: number) =>
  ['', 'isang', 'dalawang', 'tatlong'][count] || `${count}${/[469]$/.test(String(count)) ? ' na' : ''}`;

const dueDates: (typeof english)['contractText']['dates'] = ({ startDate, isDisbursed = false }) =>
  isDisbursed
    ? `Binibilang ang mga petsa ng hulog mula sa araw ng disbursement, ${startDate}.`
    : `Pansamantala ang mga petsa ng hulog, mula sa araw ng application, ${startDate}. Bibilangin ulit mula sa araw na mailabas ang pera.`;

export const contract: typeof english = {
  contractText: {
    dates: dueDates,
    deferred: (months) => `Iniurong nang ${counted(months)} buwan ang mga hindi pa bayad na hulog.`,
    instalments: ({ count, amount }) => `Hulog: ${count} pantay na buwanang bayad na ${amount}.`,
    firstPayment: (start) =>
      `Unang bayad: ${counted(limits.firstInstalmentAfterMonths)} buwan matapos ang disbursement. ${dueDates(start)}`,
    lateCharge: ({ percent }) =>
      `Multa sa nahuling bayad: ${percent}% bawat buwan sa hulog na lampas na sa due date, hanggang mabayaran ito.`,
    lateChargeRate: ({ lateChargeRate }) =>
      `Antas ng multa: ${lateChargeRate}% bawat buwan sa hulog na lampas na sa due date.`,
    lateChargeByDays: ({ lateChargeRate, graceDays, lateChargeCapPercent }) =>
      `Multa sa nahuling bayad: ${lateChargeRate}% bawat buwan, binibilang bawat araw, sa hindi pa nababayaran sa hulog na lampas na sa due date; walang multa kung mabayaran nang buo sa loob ng ${graceDays} araw; hanggang ${lateChargeCapPercent}% lang ng hulog na iyon.`,
    freePrepayment:
      'Libreng maagang pagbabayad: maaaring bayaran nang maaga ang loan, bahagi o buo, anumang oras, nang walang multa o dagdag na singil.',
    earlySettlement:
      'Maagang pagbabayad nang buo sa anumang araw, walang singil: ang dapat nang bayaran, at ang kasalukuyang halaga (present value) ng mga susunod na hulog ayon sa epektibong interes bawat buwan ng kontratang ito.',
    application:
      'Napupunta muna ang bayad sa pinakalumang hulog na dapat nang bayaran, saka sa multa, saka sa susunod na hulog.',
    noFees:
      'Walang processing fee: walang ibinabawas sa halaga, at ang nagpapahiram ang sumasagot sa documentary stamp tax.',
  },

  settlements: {
    title: 'Kung babayaran nang buo nang maaga',
    text: 'Ang halagang magsasara sa loan sa due date ng isang hulog, kung bayad na ang lahat ng hulog hanggang doon:',
    after: ({ number, date }) => `Matapos ang ika-${number}, ${date}`,
  },

  papers: {
    title: 'Mga papeles ng loan',
    contract: 'Kontrata ng loan',
    schedule: 'Iskedyul ng hulog',
    noLoanTitle: 'Walang Loan Application',
    noLoanText: 'Kapag nakapag-apply ka na ng loan, makikita rito ang kontrata at ang iskedyul ng hulog.',
    applyNow: 'MAG-APPLY NA',
    contractFailed: 'Hindi ma-load ang kontrata ng loan mo',
    scheduleFailed: 'Hindi ma-load ang iskedyul ng hulog mo',
    noContract: 'Walang available na kontrata ng loan',
    noContractText: 'Masasabi sa iyo ng aming staff ang napagkasunduan sa loan na ito.',
    noSchedule: 'Walang available na iskedyul ng hulog',
    noScheduleText: 'Masasabi sa iyo ng aming staff kung kailan ang mga hulog mo.',
    lender: 'Nagpapahiram',
    borrower: 'Nanghihiram',
    document: 'Dokumento',
    issued: 'Petsa ng paglabas',
    lateCharge: 'Multa sa nahuling bayad',
    version: 'Bersyon',
    replaced: ({ version, replaced, date }) =>
      `Pinalitan ng bersyon ${version} ang bersyon ${replaced} noong ${date}.`,
    notAgreed: 'Hindi sinang-ayunan ng nanghihiram',
    notAgreedText: (date) =>
      `Ginawa itong bagong tuntunin ng aming staff noong ${date}, at hindi mo pa ito tinatanggap. Kung hindi ka sang-ayon, makipag-ugnayan sa amin.`,
    acceptText:
      'Bago tanggapin, basahin kung magkano ang gastos at kailan ang bayad. Hindi kailangang tanggapin ito ngayon din.',
    accept: (version) => `Tanggapin ang bersyon\u00a0${version}`,
    accepted: 'Tinanggap ang mga tuntunin',
    acceptedText: (version) => `Sumang-ayon ka sa bersyon ${version} ng kontrata mo.`,
    acceptedOn: (date) => `Tinanggap mo ang bersyong ito noong ${date}.`,
    agreedBefore: ({ agreed, issued }) =>
      `Pumayag ka sa terms na ito noong ${agreed}. Mga due date lang ang nagbago nang ilabas ang loan noong ${issued}.`,
    acceptFailed: 'Hindi natanggap ang mga tuntunin',
    downloadVersion: (version) => `I-download ang bersyon ${version}`,
    fingerprint: 'Fingerprint (SHA-256) ng mga halaga sa itaas, na walang makapagbabago',
    agreementFingerprint: 'Ng mga halaga, mga panig at mga tuntunin nang magkakasama',
    partiesToday:
      'Ang kasalukuyang detalye ng mga panig ang nakasulat: ginawa ang bersyong ito bago pa itago ang mga iyon kasama nito.',
    download: 'I-download ang PDF',
    downloadOther: 'PDF sa Ingles',
    downloading: 'Inihahanda ang PDF',
    downloadFailed: 'Hindi na-download',
    print: 'I-print',
    printFailed: 'Hindi ma-print ang papel',
    toCalendar: 'Idagdag sa aking kalendaryo',
    toTable: 'I-download bilang CSV',
    preparingFile: 'Inihahanda ang file',
    showPaid: (count) => `Ipakita ang ${count} bayad na`,
    hidePaid: 'Itago ang mga bayad na',
    number: 'Blg.',
    dueDate: 'Due date',
    amount: 'Halaga',
    leftAfter: 'Matitira',
    rowStatuses: {
      pending: 'Pending',
      partly_paid: 'Kulang pa',
      overdue: 'Overdue na',
      paid: 'Bayad na',
      settled: 'Naisara na',
    },
  },
};
