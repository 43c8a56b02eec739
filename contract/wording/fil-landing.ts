import { limits } from '#domain/limits.ts';
import { pesos } from './en-every-page.ts';
import type { landing as english } from './en-landing.ts';
import { counted } from './fil-contract.ts';

export const landing: typeof english = {
  title: (brand) =>
    `${brand}: humiram hanggang ${pesos(limits.loanAmountMaxCentavos)}, alam mo agad ang buong gastos`,
  description: `Loan mula ${pesos(limits.loanAmountMinCentavos)} hanggang ${pesos(limits.loanAmountMaxCentavos)}, online o sa aming opisina. Walang processing fee, at ipinapakita ang buong gastos bago ka pumayag.`,
  headline: 'Humiram hanggang',
  headlineAmount: pesos(limits.loanAmountMaxCentavos),
  lead: 'Makikita mo ang buong gastos bago mo ibigay ang pangalan mo. Walang processing fee.',
  register: 'Magrehistro',
  registerNote: 'Bagong kliyente',
  login: 'Mag‑login',
  openAccount: 'Buksan ang account ko',
  loginNote: 'May account na ako',
  cost: {
    title: 'Alamin muna ang buong gastos',
    amount: 'Kailangan ko',
    range: `${pesos(limits.loanAmountMinCentavos)} – ${pesos(limits.loanAmountMaxCentavos)}`,
    term: 'Ilang buwan',
    months: String,
    monthly: 'Buwanang hulog',
    total: 'Kabuuang babayaran',
    costOfCredit: 'Gastos sa pag-utang',
    effectiveRate: 'Epektibong interes',
    perMonth: (percent) => `${percent}% bawat buwan`,
    note: `Add-on na interes. Ang unang hulog ay ${counted(limits.firstInstalmentAfterMonths)} buwan matapos mong matanggap ang pera. Pansamantala ang mga petsa. Bibilangin ulit mula sa araw na mailabas ang pera.`,
    sampleOf: (amount, months) => `${amount} sa loob ng ${counted(months)} buwan`,
    request: 'Mag-request ngayon',
  },
  promises: {
    name: 'Ang aming pangako',
    time: { title: 'Flexible sa oras mo', text: 'Buwanang bayad, laging sa parehong araw' },
    fees: { title: 'Walang processing fee', text: 'Buo mong matatanggap ang halaga' },
    process: { title: 'Online at walk-in', text: 'Iisang staff, iisang tuntunin' },
    instalments: {
      title: 'Hulugan o minsanan',
      text: `${limits.loanTermMinMonths} hanggang ${limits.loanTermMaxMonths} buwan, laging pantay`,
    },
  },
  payments: 'Paraan ng pagtanggap at pagbabayad',
};
