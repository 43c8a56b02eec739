import { limits } from '#domain/limits.ts';
import type { apply as english } from './en-apply.ts';
import { counted } from './fil-contract.ts';
import { home } from './fil-home.ts';

export const apply: typeof english = {
  quote: {
    title: 'Magkano ang gastos',
    sentence: ({ get, pay, day, times, from }) =>
      `Makakakuha ka ng ${get}. Magbabayad ka ng ${pay} tuwing ika-\u2060${day}${day > 28 ? ', o sa huling araw ng mas maikling buwan' : ''}, ${counted(times)} beses, simula ${from}.`,
    ofSalary: (percent) =>
      `Bawat hulog ay ${percent}% ng buwanang sahod sa profile mo${percent > 100 ? ', mas malaki kaysa sa kinikita mo' : ''}.`,
    allRates: 'Lahat ng rate',
    interest: 'Interes',
    addOn: (percent) => `${percent}% bawat buwan, add-on`,
    effectiveYear: 'Epektibong interes bawat taon',
    perYear: (percent) => `${percent}% bawat taon`,
    simpleYear: 'Simpleng interes bawat taon',
    upfrontCharges: 'Kaltas sa umpisa',
    netProceeds: 'Matatanggap mo',
    firstDue: 'Unang hulog',
    lastDue: 'Huling hulog',
    afterDeferral: (term) => `${term}, matapos iurong`,
    failed: 'Hindi nakuwenta ang gastos',
    incomplete: 'Maglagay ng halaga at bilang ng buwan na pasok sa limit, at makikita rito ang buong gastos.',
    spoken: ({ amount, monthly, months }) =>
      `${amount}: ${monthly} bawat buwan sa loob ng ${counted(months)} buwan`,
  },

  apply: {
    ...home.apply,
    amount: 'Halaga ng loan',
    exactAmount: 'Eksaktong halaga (₱)',
    term: 'Ilang buwan',
    purpose: 'Para saan ang loan',
    otherTerm: 'Iba',
    termHint: `${limits.loanTermMinMonths} hanggang ${limits.loanTermMaxMonths} buwan`,
    purposeHint: 'Sabihin sa sarili mong salita',
    review: 'Suriin ang application',
    reviewTitle: 'Tingnan muna bago ipadala',
    reviewText:
      'Titingnan muna ng aming staff ang application mo. Wala kang utang hangga’t hindi nailalabas ang loan.',
    agreeTo: 'Sinasang-ayunan mo',
    allFigures: 'Lahat ng halaga',
    terms: 'Mga tuntunin',
    back: 'Bumalik',
    submit: 'Ipadala ang application',
    submitting: 'Ipinapadala...',
    underReview: (loanNumber) => `Sinusuri pa ang ${loanNumber}.`,
    seeIt: 'Tingnan kung nasaan na',
    secondTitle: 'Ikalawang application ba ito?',
    secondText: ({ loanNumber, amount }) =>
      `Sinusuri pa ang ${loanNumber}, ${amount}. Hiwalay na pagpapasyahan ang isang ito.`,
    notMeant: 'Hindi, huwag ipadala',
    meant: 'Oo, magpadala ng ikalawa',
    submitted: 'Naipadala ang loan application',
    submittedText: 'Naipadala na ang application mo para masuri.',
    failed: 'Hindi naipadala ang application',
    done: (by) => (by ? `Sasagot kami bago matapos ang ${by}` : 'Titingnan na ito ng aming staff'),
    doneText: (by) => (by ? 'Titingnan na ito ng aming staff.' : 'Sasabihan ka namin, aprubado man o hindi.'),
    number: 'Numero ng loan',
  },
};
