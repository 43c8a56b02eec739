import { limits } from '#domain/limits.ts';
import type { CoreWording } from './en-core.ts';
import type { home as englishHome } from './en-home.ts';

/** What `en-home.ts` is in English, without what that has from `en-core.ts`. See `fil.ts`. */
export const home: Omit<typeof englishHome, keyof CoreWording> = {
  carousel: {
    name: 'Ang aming iniaalok',
    role: 'carousel',
    slideRole: 'slide',
    pause: 'Ihinto ang mga slide',
    play: 'Paandarin ang mga slide',
    goTo: (number, title) => `Slide ${number}: ${title}`,
    slides: {
      fastCash: {
        title: 'Mabilis na Cash Loan',
        text: 'Ipadala ang aplikasyon sa loob ng ilang minuto; sundan dito ang bawat hakbang.',
      },
      digital: {
        title: 'Digital na Pagpapautang',
        text: 'Magrehistro, magpadala ng dokumento at mag-withdraw, lahat mula sa telepono.',
      },
      flexible: {
        title: 'Flexible na Termino',
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
      pending: 'Sinusuri ng aming staff ang iyong aplikasyon.',
      approved: 'Susunod, ilalabas ng aming staff ang pera sa iyong wallet.',
      denied: 'Hindi naaprubahan ang aplikasyong ito. Puwede kang mag-apply muli.',
      account_issue: 'May kailangang ayusin sa iyong account. Makipag-ugnayan sa aming staff.',
      rejected: 'Hindi naaprubahan ang aplikasyong ito. Puwede kang mag-apply muli.',
      active: 'Nailabas na ang pera sa iyong wallet.',
      completed: 'Bayad na nang buo ang loan na ito. Salamat.',
    },
    progress: 'Takbo ng aplikasyon',
    steps: {
      submitted: 'Naipadala',
      under_review: 'Sinusuri',
      decision: 'Desisyon',
      released: 'Nailabas',
    },
    stepStates: { done: 'tapos', current: 'narito na', ahead: 'hindi pa', failed: 'dito huminto' },
  },

  dashboard: {
    greeting: 'Magandang araw,',
    refresh: 'I-refresh',
    refreshed: 'Pinakabago na ang iyong loan at account.',
    loanNumber: (loanNumber) => `Loan ${loanNumber}`,
    loanTerms: (months, monthlyPayment) => `${months} buwan · ${monthlyPayment} bawat buwan`,
    nextDue: (date) => `Susunod na hulog: ${date}`,
    firstDueIfApproved: (date) => `Kung maaprubahan, unang hulog sa ${date}`,
    noLoan: 'Walang aktibong loan',
    noLoanText:
      'Kapag nag-apply ka, makikita rito ang iyong loan: ang status, ang gastos at ang susunod na hulog.',
    loanFailed: 'Hindi makuha ang iyong loan',
    loanNotRefreshed: 'Maaaring hindi ito pinakabago',
    apply: 'Mag-apply ng loan',
  },

  verification: {
    verified: 'Beripikado ang account',
    verifiedText: 'Puwede kang mag-apply at mag-withdraw.',
    notVerified: 'Hindi pa beripikado ang account',
    missing: (count) => (count === 1 ? 'May isa pang kulang.' : `May ${count} pang kulang.`),
    complete: 'Kumpletuhin ang profile',
    requiredTitle: 'Kailangan ang Beripikasyon',
    stillMissing: 'Kulang pa',
    verifyNow: 'MAGPA-VERIFY NA',
    pieces: {
      fullName: 'Buong pangalan',
      address: 'Address',
      countryOfWork: 'Bansang pinagtatrabahuhan',
      monthlySalary: 'Buwanang sahod',
      referenceName: 'Pangalan ng reference',
      referencePhone: 'Telepono ng reference',
      bankName: 'Pangalan ng bangko',
      bankAccountNumber: 'Account number',
      idFrontUrl: 'Harap ng ID',
      idBackUrl: 'Likod ng ID',
      selfieUrl: 'Selfie',
    },
  },

  apply: {
    title: 'Mag-apply ng Loan',
    loading: 'Binubuksan ang aplikasyon',
    loadFailed: 'Hindi mabuksan ang aplikasyon',
  },

  converter: {
    title: 'Palitan ng pera',
    amount: 'Halaga',
    currency: 'Pera',
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
      `Walang live na palitan noong ${moment}. Tantiyang palitan lang ang mga ito; maaaring iba ang totoo.`,
    unreachableNote: 'Hindi nakuha ang palitan. Tantiyang palitan lang ang mga ito; maaaring iba ang totoo.',
    trend: 'halimbawang galaw lang, hindi totoong datos (7 araw)',
    trendLabel: ({ code, low, high }) =>
      `Halimbawang galaw lang, hindi totoong datos, sa loob ng 7 araw: ang piso ay nasa pagitan ng ${low} at ${high} ${code}`,
  },
};
