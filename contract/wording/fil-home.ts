import { limits } from '#domain/limits.ts';
import { denialReasons } from './denial-reasons.ts';
import { pesos } from './en-every-page.ts';
import type { home as english } from './en-home.ts';
import type { below } from './en-home-below.ts';
import type { CoreWording } from './en-sign-in.ts';
import { counted } from './fil-contract.ts';

export const home: Omit<typeof english, keyof CoreWording> & typeof below = {
  carousel: {
    name: 'Ang aming iniaalok',
    role: 'carousel',
    slideRole: 'slide',
    pause: 'I-pause ang mga slide',
    play: 'I-play ang mga slide',
    goTo: (number, title) => `Slide ${number}: ${title}`,
    slides: {
      fastCash: {
        title: 'Mabilis na Cash Loan',
        text: 'Ipadala ang application sa loob ng ilang minuto; sundan dito ang bawat hakbang.',
      },
      digital: {
        title: 'Utang, gamit lang ang phone',
        text: 'Magrehistro, magpadala ng dokumento at mag-withdraw, lahat sa phone mo.',
      },
      flexible: {
        title: 'Ikaw ang pipili kung ilang buwan',
        text: `Pumili ng ${limits.loanTermMinMonths} hanggang ${limits.loanTermMaxMonths} buwan, at magbayad nang maaga kung kailan mo gusto.`,
      },
    },
  },

  loanStatus: {
    words: {
      pending: 'Pending',
      approved: 'Aprubado',
      denied: 'Hindi naaprubahan',
      account_issue: 'May isyu sa account',
      rejected: 'Tinanggihan',
      active: 'Aktibo',
      completed: 'Tapos na',
    },
    notes: {
      pending: 'Sinusuri ng aming staff ang application mo.',
      approved: 'Susunod, ilalabas ng aming staff ang pera.',
      denied: 'Hindi naaprubahan ang application na ito.',
      account_issue: 'May kailangan kami sa iyo. Pakitawagan ang aming staff.',
      rejected: 'Hindi naaprubahan ang application na ito.',
      active: 'Nailabas na ang pera sa wallet mo.',
      completed: 'Bayad na nang buo ang loan na ito. Salamat.',
    },
    activeByHand: 'Masasabi ng aming staff ang iba pa tungkol sa loan na ito.',
    completedByHand: 'Isinara ng aming staff ang loan na ito. Masasabi nila ang iba pa tungkol dito.',
    progress: 'Takbo ng application',
    steps: {
      submitted: 'Naipadala',
      under_review: 'Sinusuri',
      decision: 'Desisyon',
      released: 'Nailabas',
    },
    stepStates: { done: 'tapos', current: 'kasalukuyan', ahead: 'hindi pa', failed: 'dito huminto' },
  },

  dashboard: {
    greeting: 'Magandang araw,',
    refresh: 'I-refresh',
    refreshed: 'Updated na ang loan at account mo.',
    notRefreshed: 'May hindi na-refresh. Tingnan ang mga babala sa pahina.',
    loanNumber: (loanNumber) => `Loan ${loanNumber}`,
    isApproved: 'ay aprubado na.',
    loanTerms: (months, monthlyPayment) => `${months} buwan\u00a0· ${monthlyPayment}\u00a0bawat\u00a0buwan`,
    left: 'Natitira',
    woven: ({ paid, count }) => `${paid} sa ${count} bayad na`,
    lateTiles: (count) => `${count} ang overdue`,
    sentTiles: (count) => `${count} ang hinihintay pang makumpirma`,
    oneDueToday: '1 ang dapat bayaran ngayon',
    withExtras: (sum, { withCharges, withReturn }) =>
      [sum, withCharges && 'may multa', withReturn && 'may refund na ibabalik'].filter(Boolean).join(', '),
    overdue: 'Overdue na',
    dueNow: (amount) => `${amount} ang dapat bayaran ngayon`,
    nextDue: (date) => `Susunod na hulog: ${date}`,
    termsChanged:
      'Binago ng aming staff ang terms. Basahin at tanggapin ang kontrata mo para mailabas ang pera.',
    released: ({ amount, date }) => (amount ? `${amount}, nailabas noong ${date}` : `Nailabas noong ${date}`),
    openContract: 'Buksan ang kontrata',
    call: (phone) => `Tawagan ang ${phone}`,
    tellWhenReleased:
      'Magme-message kami kapag nailabas na. Dalawang buwan pagkatapos noon ang unang hulog mo.',
    whereTo: 'Mula sa wallet, maiwi-withdraw mo ito sa',
    ourMessage: 'Basahin ang mensahe namin',
    hearBy: (date) => `Sasagot kami bago matapos ang ${date}`,
    reason: 'Dahilan',
    reasonText: (reason) => `${denialReasons[reason] ?? reason}`,
    deniedOn: (date) => `Napagpasyahan ito ng aming staff noong ${date}.`,
    applyAgain: 'Puwede kang mag-apply ulit, o magtanong sa aming staff tungkol dito.',
    askWhy: 'Itanong sa aming staff kung bakit, at kung ano ang babaguhin. Puwede ka ring mag-apply ulit.',
    paidInFull: 'Bayad na nang buo',
    closed: 'Sarado na',
    paidOn: (date) => `Noong ${date}. Salamat!`,
    noLoan: 'Walang aktibong loan',
    upTo: `Hanggang ${pesos(limits.loanAmountMaxCentavos)}`,
    example: ({ amount, months, monthly }) =>
      `Halimbawa: ${amount} sa loob ng ${counted(months)}\u00a0buwan, ${monthly}\u00a0bawat\u00a0buwan.`,
    youMayBorrow: `Mula ${pesos(limits.loanAmountMinCentavos)}, sa loob ng ${limits.loanTermMinMonths} hanggang ${limits.loanTermMaxMonths} buwan. Makikita mo ang buong gastos bago ka pumayag.`,
    loanFailed: 'Hindi ma-load ang loan mo',
    loanNotRefreshed: 'Baka hindi ito ang pinakabago',
    apply: 'Mag-apply ng loan',
  },

  payment: {
    next: 'Susunod na bayad',
    paidOf: (paid, instalment) => `${paid} sa ${instalment} ang bayad na`,
    dueToday: 'Ngayon ang due date',
    dueNow: 'Dapat bayaran ngayon',
    daysLeft: (days) => (days === 1 ? 'bukas' : `${counted(days)} araw pa`),
    since: ({ date, days }) => `mula ${date} · ${counted(days)} araw`,
    upToDate: 'Bayaran ito para updated ka na',
    stopCharge:
      'Ibinibilang ang bawat piso mula sa araw ng bayad mo. Kapag bayad na lahat, wala nang madadagdag na multa.',
    writtenOff:
      'Wala nang madadagdag na multa. Utang mo pa rin ang natitira, at ibibilang ang bawat bayad mo.',
    parts: { due: 'Mga hulog na babayaran', lateCharges: 'Multa', toReturn: 'Refund na ibabalik' },
    howToPay: 'Paano magbayad',
    fromWallet: 'Magbayad mula sa wallet',
    payPart: 'Bahagi muna',
    talkToUs: 'Kausapin kami',
    everything: 'Bayaran lahat ngayon',
    saves: (amount) => `tipid ${amount}`,
    papers: 'Kontrata at mga resibo',
    clearance: 'Clearance certificate',
    inWallet: 'Nasa wallet mo',
    showBalance: 'Ipakita ang balance',
    hideBalance: 'Itago ang balance',
    balanceHidden: 'Nakatago ang balance',
    show: 'Ipakita',
    hide: 'Itago',
    withdraw: 'Mag-withdraw',
  },

  verification: {
    verified: 'Verified na ang account',
    notVerified: 'Hindi pa verified ang account',
    twoSteps: 'Dalawang hakbang lang',
    stepsDone: (count) => `${count} sa 2 ang tapos`,
    stepsLead: 'Mga 5 minuto lang lahat.',
    stepLead: 'Mga 2 minuto na lang.',
    aboutYou: 'Tungkol sa iyo',
    answers: (count) => `${counted(count)} maikling sagot: address, trabaho, kakilala mo, at bangko mo`,
    photos: 'Tatlong photo',
    photosText: 'Harap at likod ng isang ID, at ang mukha mo',
    done: 'Tapos na',
    start: 'Simulan',
    requiredTitle: 'Kailangang Magpa-verify',
    verifyNow: 'MAGPA-VERIFY NA',
  },

  apply: {
    title: 'Mag-apply ng Loan',
    loading: 'Binubuksan ang application',
    overdueFirst: (loanNumber) =>
      `Habang overdue ang loan ${loanNumber}, hindi ka muna makakapag-apply dito sa app. Kapag nabayaran na ang overdue, puwede ka na ulit mag-apply. Kailangan mo na ba ngayon? Tawagan kami.`,
  },

  moreFrom: (lender) => `Iba pa mula sa ${lender}`,

  company: {
    partners: 'Mga partner',
    regulators: 'Mga regulator',
    opensNewView: 'Magbubukas ang rehistro sa bagong tab.',
    details: 'Detalye ng kumpanya',
    companyName: 'Pangalan ng kumpanya',
    registrationNumber: 'Numero ng rehistro',
    authorityNumber: 'Numero ng Certificate of Authority',
    registrationDate: 'Petsa ng pagrehistro',
    status: 'Status',
    address: 'Address',
    hours: 'Oras ng suporta',
    branches: 'Mga sangay',
  },

  converter: {
    title: 'Halaga sa ibang pera',
    amount: 'Halaga',
    currency: 'Anong currency',
    names: {
      USD: 'Dolyar ng US',
      EUR: 'Euro',
      GBP: 'Pound ng UK',
      JPY: 'Yen ng Japan',
      AUD: 'Dolyar ng Australia',
      CAD: 'Dolyar ng Canada',
      SGD: 'Dolyar ng Singapore',
      HKD: 'Dolyar ng Hong Kong',
    },
    live: 'Live',
    fallback: 'Hindi live',
    rate: (rate, code) => `₱1 = ${rate} ${code}`,
    liveNote: (moment) => `Live na palitan, nakuha noong ${moment}.`,
    fallbackNote: (moment) =>
      `Huling hiningi ang live na palitan noong ${moment}, pero walang sagot. Tantiyang palitan lang ang mga ito; maaaring iba ang totoo.`,
    unreachableNote: 'Hindi nakuha ang palitan. Tantiyang palitan lang ang mga ito; maaaring iba ang totoo.',
    trend: 'halimbawa lang, 7 araw',
    trendLabel: ({ code, low, high }) =>
      `Halimbawang galaw lang, hindi totoong datos, sa loob ng 7 araw: ang piso ay nasa pagitan ng ${low} at ${high} ${code}`,
  },
};
