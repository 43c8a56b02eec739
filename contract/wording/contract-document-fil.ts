import type { ContractDocumentWording } from './contract-document.ts';

/** The same in Filipino. Terms of lending as in docs/glossary.md; the law's own name for one follows it in brackets. */
export const contractDocumentFil: ContractDocumentWording = {
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
    item: 'Bagay',
    figure: 'Halaga',
    amountFinanced: 'Halaga ng loan (amount financed, principal)',
    upfrontCharges:
      'Kaltas sa umpisa (walang processing fee; sagot ng nagpapahiram ang documentary stamp tax)',
    netProceeds: 'Matatanggap ng nanghihiram (net proceeds)',
    financeCharge: 'Gastos sa pag-utang (finance charge): lahat ng interes sa buong panahon, sa piso',
    totalPayment: 'Kabuuang babayaran',
    instalment: (count) => `Buwanang hulog, ${count} beses`,
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
    total: (count, amount) => `${count} hulog, kabuuang ${amount}`,
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
    borrower: 'Nanghihiram',
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

  calendar: {
    payment: ({ number, count, amount }) => `Ika-${number} sa ${count} hulog ng loan: ${amount}`,
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
