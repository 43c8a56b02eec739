import type { PaperWording } from './en-printed-papers.ts';
import { counted } from './fil-contract.ts';

/** Terms of lending as in docs/glossary.md; the law's own term follows in brackets. */
export const papersFil: PaperWording = {
  languageTag: 'fil-PH',
  title: 'Kontrata ng Loan at Pahayag ng Gastos',
  law: 'Disclosure Statement ayon sa Truth in Lending Act (Republic Act 3765) at SEC Memorandum Circular 3, serye ng 2022',
  governs:
    'Kung may pagkakaiba, ang tekstong Ingles ang masusunod; ang tekstong Filipino na ito ay salin para sa kaalaman.',
  sampleMark: 'SAMPLE',
  sampleNotice: 'SAMPLE. Hindi lisensyadong kumpanya ang nagpapahiram dito. Walang bisa ang papel na ito.',

  facts: {
    documentNumber: 'Numero ng dokumento',
    version: 'Bersyon',
    issued: 'Petsa ng paglabas',
    loanNumber: 'Numero ng loan',
  },
  versionOf: (version) =>
    version === 1 ? '1 (ayon sa application)' : `${version} (kapalit ng bersyon ${version - 1})`,
  replacedNotice: ({ version, date }) => `Wala nang bisa: pinalitan ito ng bersyon ${version} noong ${date}.`,

  notAgreedNotice:
    'Hindi sinang-ayunan ng nanghihiram: inilabas ng nagpapahiram ang bersyong ito, at hindi pa ito tinatanggap ng nanghihiram.',
  acceptedNote: (date) => `Tinanggap ng nanghihiram ang bersyong ito sa app noong ${date}.`,

  parties: {
    heading: 'Mga panig',
    lender: 'Nagpapahiram',
    borrower: 'Nanghihiram',
    name: 'Pangalan',
    registrationNumber: 'Numero ng rehistro',
    authorityNumber: 'Certificate of Authority',
    registered: 'Petsa ng rehistro',
    status: 'Status',
    address: 'Address',
    phone: 'Telepono',
    email: 'Email',
    purpose: 'Layunin ng loan',
    notGiven: 'Hindi ibinigay',
  },

  cost: {
    heading: 'Magkano ang gastos ng loan',
    item: 'Detalye',
    figure: 'Halaga',
    amountFinanced: 'Halaga ng loan (amount financed, principal)',
    upfrontCharges:
      'Kaltas sa umpisa (walang processing fee; sagot ng nagpapahiram ang documentary stamp tax)',
    netProceeds: 'Matatanggap ng nanghihiram (net proceeds)',
    financeCharge: 'Gastos sa pag-utang (finance charge): lahat ng interes sa buong panahon, sa piso',
    totalPayment: 'Kabuuang babayaran',
    instalment: (count) => `Buwanang hulog, ${counted(count)} beses`,
    nominalRate: 'Interes (add-on), sa halaga ng loan',
    effectiveMonthlyRate: 'Epektibong interes bawat buwan',
    simpleAnnualRate: 'Simpleng interes bawat taon (12 beses ng buwanan)',
    effectiveAnnualRate: 'Epektibong interes bawat taon, compounded',
    lateCharge: 'Multa sa hulog na lampas na sa due date',
    firstAndLast: 'Una at huling petsa ng hulog',
    perMonth: (percent) => `${percent}% bawat buwan`,
    percent: (percent) => `${percent}%`,
    between: (first, last) => `${first} hanggang ${last}`,
  },
  effectiveRateNote:
    'Ang epektibong interes ay ang interes bawat buwan kung saan ang kasalukuyang halaga (present value) ng lahat ng hulog ay katumbas ng matatanggap ng nanghihiram, at ang unang hulog ay dalawang buwan matapos ang simula.',

  schedule: {
    heading: 'Iskedyul ng hulog',
    number: 'Blg.',
    dueDate: 'Due date',
    amount: 'Halaga',
    total: (count, amount) => `${counted(count)} hulog, kabuuang ${amount}`,
  },

  terms: { heading: 'Mga tuntunin' },

  settlements: {
    heading: 'Kung babayaran nang buo nang maaga',
    note: 'Ang halagang magsasara sa loan sa due date ng isang hulog, kung bayad sa takdang araw ang lahat ng hulog hanggang doon.',
    amount: 'Babayaran',
  },

  signatures: {
    heading: 'Mga lagda',
    consent:
      'Nabasa ng nanghihiram ang pahayag na ito bago lumagda, nauunawaan niya kung magkano ang gastos ng loan, at nabigyan siya ng kopya nito.',
    lender: 'Para sa nagpapahiram',
    signature: 'Lagda',
    signatureOfOfficer: 'Lagda, pangalan at katungkulan',
    date: 'Petsa',
  },

  fingerprint: (hash) =>
    `Itinakda ang mga halaga sa itaas nang ilabas ang bersyong ito at hindi na mababago. Ang fingerprint (SHA-256) ng mga ito: ${hash}`,
  fingerprints: (figures, all) =>
    `Itinakda ang mga halaga, panig at tuntunin nang ilabas ang bersyong ito at hindi na mababago. Mga fingerprint (SHA-256): ng mga halaga ${figures}, ng lahat ${all}`,
  page: (number, count) => `Pahina ${number} ng ${count}`,

  account: {
    loan: 'Loan',
    borrower: 'Nanghihiram',
    amount: 'Halaga',
    ofWhich: (share) => `kasama rito: ${share.toLowerCase()}`,
    interest: 'Interes',
    interestGivenBack: 'Interes na ibinalik',
    principal: 'Principal',
    lateCharges: 'Multa',
    toReturn: 'Refund na ibabalik',
    credit: 'Sobrang bayad',
    allocation: {
      instalment: (number) => `Hulog ${number}`,
      instalments: (range) => `Mga hulog ${range}`,
      settlement: () => 'Isinara ang loan',
    },
  },

  statement: {
    title: 'Statement of Account',
    period: 'Panahon',
    heading: 'Mga transaksyon',
    date: 'Petsa',
    what: 'Detalye',
    receipt: 'Resibo',
    charged: 'Idinagdag',
    credited: 'Ibinawas',
    balance: 'Natitira',
    opening: 'Panimulang balanse',
    closing: 'Panghuling balanse',
    withLateCharges: (edge, amount) => `${edge}, kasama ang multang ${amount}`,
    totals: 'Sa panahong ito',
    disbursement: (amount) => `Inilabas: ${amount}. Babayaran kasama ang interes`,
    cancellation: 'Kinansela ang release',
    receiptOf: ({ channel, number }) => `Bayad: ${channel}, ${number}`,
    rebate: 'Interes na hindi na sisingilin dahil maagang isinara',
    lateCharges: (date) => `Multa hanggang ${date}`,
    waiver: 'Tinanggal na multa',
    deferral: (months) => `Iniurong nang ${counted(months)} buwan ang mga hindi pa bayad na hulog`,
    refund: 'Sobrang bayad na inilagay sa wallet',
    refundInCash: 'Sobrang bayad na isinauli nang cash',
    write_off: 'Na-write-off sa libro ng nagpapahiram; may utang pa rin',
    reversed: ({ what, amount }) => `${what}${amount && `, ${amount}`}: binawi`,
    note: 'Mga halaga sa piso. Binibilang ang bayad mula sa araw na ginawa ito kahit huli nang naitala, kaya maaaring maiba ang panahong ito sa susunod na statement. Ang mas mababa sa zero ay sobrang bayad.',
    standing: 'Buod',
    due: 'Dapat nang bayaran',
    dueWithCharges: 'Dapat nang bayaran, kasama ang multa',
    next: ({ amount, date }) => `${amount} sa ${date}`,
    nextDue: 'Susunod na hulog',
    lastDue: 'Huling hulog',
    settlement: 'Magsasara sa buong loan sa huling araw ng panahong ito',
    settlementWithCharges: 'Magsasara sa buong loan sa huling araw ng panahong ito, kasama ang multa',
  },

  receipt: {
    title: 'Acknowledgement Receipt (Resibo ng Pagtanggap)',
    number: 'Numero',
    paidOn: 'Petsa ng bayad',
    receivedFrom: 'Tinanggap mula kay',
    inWords: 'Sa salita',
    by: 'Paraan',
    reference: 'Reference ng bayad',
    place: 'Tinanggap sa',
    takenBy: 'Tinanggap ni',
    recordedBy: 'Itinala ni',
    confirmedBy: 'Kinumpirma ni',
    amountOf: 'Halagang tinanggap',
    allocation: 'Saan ito napunta',
    reversed: (date) => `Binawi ang bayad na ito noong ${date}.`,
    asPrinted:
      'Ayon sa pagkakabilang nang ilabas ang resibong ito. Maaari itong mabago ng bayad na mas maaga ang petsa pero mas huling naitala; nasa statement of account ang bilang ngayon.',
    after: (date) => `Pagkatapos ng bayad na ito, noong ${date}`,
    left: 'Natitirang babayaran',
    toWallet: 'Inilagay sa wallet',
    taxNote:
      'Hindi magagamit ang dokumentong ito sa pag-claim ng input tax (not valid for claim of input tax).',
  },

  clearance: {
    title: 'Clearance Certificate (Katibayan ng Buong Pagbabayad)',
    body: ({ borrower, loan, amount, released, closed }) =>
      `Pinatutunayan nito na nabayaran na ni ${borrower} nang buo ang loan ${loan} na ${amount}, na inilabas noong ${released}, noong ${closed}. Wala nang utang dito: walang principal, walang interes at walang multa.`,
    paid: 'Kabuuang binayaran',
    paidWithCharges: 'Kabuuang binayaran, kasama ang multa',
    closedOn: 'Petsa ng pagsara',
    how: 'Paano',
    settled: 'Isinara nang maaga',
    completed: 'Nabayaran ang lahat ng hulog',
    rebate: 'Interes na hindi siningil',
    asOf: (date) =>
      `Ayon sa aming record noong ${date}. Mawawalan ng bisa ang katibayang ito kapag may bayad na binawi pagkatapos.`,
  },

  deferral: {
    note: ({ months, dates }) =>
      `Iniurong nang ${counted(months)} buwan ang due date ng mga hulog na hindi pa bayad (${dates}).`,
    heading: 'Mga due date matapos iurong',
  },

  cancelledNotice: (date) => `Kinansela ang release noong ${date}: walang kailangang bayaran.`,

  calendar: {
    payment: ({ number, count, amount }) => `Ika-${number} sa ${counted(count)} hulog ng loan: ${amount}`,
    reminder: (payment) => `Bukas na ang bayaran. ${payment}`,
    loan: (loanNumber) => `Loan ${loanNumber}`,
    contract: (documentNumber) => `Ayon sa kontratang ${documentNumber}`,
    notFollowing:
      'Ang kontrata mo ang masusunod. Hindi kusang nagbabago ang mga ito kapag nagbago ang iyong loan: idagdag muli ang mga petsa.',
  },

  table: {
    number: 'Blg.',
    dueDate: 'Due date',
    amount: 'Halaga (PHP)',
    leftAfter: 'Matitira (PHP)',
    status: 'Status',
  },
};
