import { limits } from '#domain/limits.ts';
import { pesos } from './en-core.ts';
import type { offer as englishOffer } from './en-offer.ts';
import { home } from './fil-home.ts';

/** A number before what it counts, with the linker that Filipino puts between them. */
const counted = (count: number) => ['', 'isang', 'dalawang', 'tatlong'][count] || `${count} na`;

const dueDates = ({ startDate }: { startDate: string }) =>
  `Binibilang ang mga petsa ng hulog mula sa araw ng aplikasyon, ${startDate}, hanggang magkaroon ng bagong mga petsa sa disbursement.`;

/** What `en-offer.ts` is in English. See `fil.ts`. */
export const offer: typeof englishOffer = {
  landing: {
    title: (brand) =>
      `${brand}: humiram hanggang ${pesos(limits.loanAmountMaxCentavos)}, alam mo agad ang buong gastos`,
    description: `Loan mula ${pesos(limits.loanAmountMinCentavos)} hanggang ${pesos(limits.loanAmountMaxCentavos)}, online o sa aming opisina. Walang processing fee, at ipinapakita ang buong gastos bago ka pumayag.`,
    process: 'Online at walk-in',
    headline: 'Humiram hanggang',
    headlineAmount: pesos(limits.loanAmountMaxCentavos),
    lead: 'Mag-apply sa phone o sa aming opisina. Walang processing fee, at ipinapakita ang buong gastos bago ka pumayag.',
    register: 'Magrehistro',
    registerNote: 'Bagong kliyente',
    login: 'Mag‑login',
    openAccount: 'Buksan ang account ko',
    loginNote: 'May account na ako',
    cost: {
      title: 'Alamin muna ang buong gastos',
      amount: 'Kailangan ko',
      range: `${pesos(limits.loanAmountMinCentavos)} – ${pesos(limits.loanAmountMaxCentavos)}`,
      term: 'Ilang buwan babayaran',
      months: (count) => `${count} buwan`,
      monthly: 'Buwanang hulog',
      total: 'Kabuuang babayaran',
      costOfCredit: 'Gastos sa pag-utang',
      effectiveRate: 'Epektibong interes',
      perMonth: (percent) => `${percent}% bawat buwan`,
      note: `Add-on na interes. Ang unang hulog ay ${counted(limits.firstInstalmentAfterMonths)} buwan matapos mong matanggap ang pera. Binibilang ang mga petsa mula sa araw na nag-apply ka, hanggang magkaroon ng bago kapag nailabas ang pera.`,
      sampleOf: (amount, months) => `${amount} sa loob ng ${months} buwan`,
      request: 'Mag-request ngayon',
    },
    promises: {
      name: 'Ang aming pangako',
      time: { title: 'Flexible sa oras mo', text: 'Buwanang bayad, sa mga petsang alam mo na sa simula' },
      fees: { title: 'Walang processing fee', text: 'Buo mong matatanggap ang halaga' },
      process: { title: 'Walk-in o online', text: 'Iisang staff, iisang tuntunin' },
      instalments: {
        title: 'Hulugan o minsanan',
        text: `${limits.loanTermMinMonths} hanggang ${limits.loanTermMaxMonths} buwan, laging pantay`,
      },
    },
    payments: 'Paraan ng pagtanggap at pagbabayad',
  },

  contractText: {
    dates: dueDates,
    instalments: ({ count, amount }) => `Hulog: ${count} pantay na buwanang bayad na ${amount}.`,
    firstPayment: ({ startDate }) =>
      `Unang bayad: ${counted(limits.firstInstalmentAfterMonths)} buwan matapos ang disbursement. ${dueDates({ startDate })}`,
    lateCharge: ({ percent }) =>
      `Multa sa nahuling bayad: ${percent}% bawat buwan sa hulog na lampas na sa due date, hanggang mabayaran ito.`,
    freePrepayment:
      'Libreng maagang pagbabayad: maaaring bayaran nang maaga ang loan, bahagi o buo, anumang oras, nang walang multa o dagdag na singil.',
    noFees:
      'Walang processing fee: walang ibinabawas sa halaga, at ang nagpapahiram ang sumasagot sa documentary stamp tax.',
  },

  quote: {
    title: 'Magkano ang gastos',
    interest: 'Interes',
    addOn: (percent) => `${percent}% bawat buwan, add-on`,
    effectiveYear: 'Epektibong interes bawat taon',
    perYear: (percent) => `${percent}% bawat taon`,
    simpleYear: 'Simpleng interes bawat taon',
    upfrontCharges: 'Kaltas sa umpisa',
    netProceeds: 'Matatanggap mo',
    firstDue: 'Unang hulog',
    lastDue: 'Huling hulog',
    failed: 'Hindi nakuwenta ang gastos',
    incomplete: 'Maglagay ng halaga at terminong pasok sa limit, at makikita rito ang buong gastos.',
    spoken: ({ amount, monthly, months }) => `${amount}: ${monthly} bawat buwan sa loob ng ${months} buwan`,
  },

  apply: {
    ...home.apply,
    amount: 'Halaga ng loan',
    exactAmount: 'Eksaktong halaga (₱)',
    term: 'Termino (buwan)',
    purpose: 'Para saan ang loan',
    termHint: `${limits.loanTermMinMonths} hanggang ${limits.loanTermMaxMonths} buwan`,
    purposeHint: 'Sabihin sa sarili mong salita',
    review: 'Suriin ang application',
    reviewTitle: 'Tingnang mabuti bago ipadala',
    reviewText:
      'Titingnan muna ng aming staff ang application mo. Wala kang utang hangga’t hindi nailalabas ang loan.',
    terms: 'Mga tuntunin',
    back: 'Bumalik',
    submit: 'Ipadala ang application',
    submitting: 'Ipinapadala...',
    submitted: 'Naipadala ang loan application',
    submittedText: 'Naipadala na ang application mo para masuri.',
    failed: 'Hindi naipadala ang application',
  },
};
