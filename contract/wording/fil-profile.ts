import { limits } from '#domain/limits.ts';
import type { profile as english } from './en-profile.ts';
import { home } from './fil-home.ts';

export const profile: typeof english = {
  verification: {
    ...home.verification,
    pieces: {
      fullName: 'Buong pangalan',
      email: 'Email',
      address: 'Address',
      countryOfWork: 'Bansang pinagtatrabahuhan',
      monthlySalary: 'Buwanang sahod',
      referenceName: 'Pangalan ng reference',
      referencePhone: 'Numero ng reference',
      bankName: 'Pangalan ng bangko',
      bankAccountNumber: 'Account number',
      idFrontUrl: 'Harap ng ID',
      idBackUrl: 'Likod ng ID',
      selfieUrl: 'Selfie',
    },
  },

  profile: {
    credit: 'Credit score',
    creditWhy: 'Tinitingnan ito ng aming staff kapag nag-apply ka.',
    bands: {
      bad: 'Mababang Credit',
      average: 'Katamtamang Credit',
      good: 'Magandang Credit',
      perfect: 'Perpektong Credit',
      unknown: 'Hindi alam',
    },
    creditSpoken: ({ score, max, band }) => `Credit score na ${score} sa ${max}, ${band}`,
    stars: (count, outOf) => `${count} sa ${outOf} star`,
    trendNone: '0.00%, wala pang pagbabago',
    trend: (percent) => `${percent}% kumpara sa dating score`,
    complete: 'Kumpleto na ang profile mo',
    completeText: 'Susunod, pumili ng halaga. Makikita mo ang buong gastos bago ka pumayag.',
    personal: 'Personal na Impormasyon',
    edit: 'I-edit ang detalye',
    view: 'Tingnan ang detalye',
    viewTitle: 'Ang impormasyon mo sa amin',
    memberSince: 'Miyembro mula',
    optional: '(opsyonal)',
    notGiven: 'Hindi ibinigay',
    showNumber: 'Ipakita',
    hideNumber: 'Itago',
    groups: {
      person: { title: 'Ikaw', why: 'Para malaman namin kung sino ang nanghihiram at paano ka maaabot.' },
      work: { title: 'Trabaho', why: 'Para umangkop ang hulog sa kinikita mo.' },
      reference: {
        title: 'Reference mo',
        why: 'Isang taong nakakakilala sa iyo at nasabihan mo na. Tatawagan lang namin siya kapag hindi ka namin maabot, at buburahin namin ang detalye niya kasabay ng account mo.',
      },
      bank: {
        title: 'Bangko',
        why: 'Dito pupunta ang mga withdrawal mo. Sinusuri muna ng aming staff ang ibang account.',
      },
    },
    suggestions: (field) => `Mga mungkahi: ${field}`,
    part: (number) => `Bahagi ${number} ng 2`,
    allAtOnce: 'Lahat ng tanong sa isang pahina',
    save: 'I-save',
    saved: 'Na-update ang profile',
    account: 'Account',
    signIn: 'Wika at pag-sign in',
    accountText: 'Wika, password, ang datos mo',
    changePassword: 'Palitan ang password',
    passwordWhy: 'Pagkatapos nito, mase-sign out ka sa lahat ng iba mong device.',
    passwordIssued:
      'Galing sa aming staff ang password mo. Palitan mo ng sarili mo, para ikaw lang ang nakakaalam.',
    languageWhy: 'Sa device na ito lang.',
  },

  documents: {
    title: 'Mga dokumento',
    allHere: '3 photo, kumpleto na',
    acceptedIds: 'Mga tinatanggap na ID',
    ids: 'Basta hindi pa expired: National ID (PhilSys), passport, driver’s license, UMID, SSS, PRC, postal o voter’s ID.',
    howTo: {
      idFrontUrl: 'Kita ang buong ID, nakalapag at maliwanag.',
      idBackUrl: 'Ang kabilang side ng ID na iyon.',
      selfieUrl: 'Humarap sa liwanag, walang sombrero o mask.',
    },
    add: 'Maglagay ng photo',
    change: 'Palitan ang photo',
    preparing: 'Inihahanda',
    uploading: 'Ina-upload',
    uploaded: 'Na-upload ang dokumento',
    refresh: 'I-refresh ang mga dokumento',
    refreshed: 'Na-refresh ang mga dokumento',
    loadFailed: 'Hindi ma-load ang photo',
    open: {
      idFrontUrl: 'Tingnan ang harapan',
      idBackUrl: 'Tingnan ang likuran',
      selfieUrl: 'Tingnan ang photo mo',
    },
  },

  consents: {
    profile: (lender) =>
      `Sa pag-save, pumapayag kang itago ng ${lender} ang mga detalyeng ito at gamitin para sa mga dahilang nakasulat sa itaas ng bawat bahagi.`,
    documents: (lender) =>
      `Sa paglalagay ng photo, pumapayag kang itago ito ng ${lender} para matiyak na ikaw nga ito. Ikaw at ang aming staff lang ang makakakita.`,
    application: (lender) =>
      `Sa pagpapadala, pumapayag kang gamitin ng ${lender} ang profile at mga dokumento mo para pagpasyahan ang application na ito at, kung maaprubahan, para i-manage ang loan.`,
  },

  privacy: {
    title: 'Ang datos mo',
    why: 'Karapatan mong makita, makopya at ipabura ang itinatago namin tungkol sa iyo.',
    download: 'I-download ang aking datos',
    downloadNote: 'Isang ZIP file na may lahat ng itinatago namin tungkol sa iyo, pati mga photo.',
    downloadTitle: 'I-download ang datos mo?',
    downloadText:
      'Laman nito ang mga photo mo at lahat ng sinabi mo sa amin, kaya hinihingi muna namin ang password mo.',
    downloadSend: 'I-download',
    password: 'Password mo',
    preparing: 'Inihahanda ang datos mo',
    ask: 'Hilinging burahin',
    askTitle: 'Hilinging burahin ang datos mo?',
    askText:
      'Titingnan ng aming staff ang hiling mo at saka isasara ang account mo. Puwede mo itong bawiin hanggang sa oras na iyon.',
    consequences: [
      'Kapag naisara na, hindi ka na makakapag-sign in. I-download muna ang datos mo.',
      'Buburahin agad ang reference mo. Kung walang loan at walang perang gumalaw, buburahin din agad ang lahat ng iba pa.',
      `Kung mayroon, itatago namin kung sino ka sa loob ng ${limits.closedAccountKeptYears} taon matapos isara: hinihingi ng Anti-Money Laundering Act (RA 9160) na maipakita ng mga nagpapahiram kung kanino ang mga transaksyon. Pagkatapos ay buburahin ang pangalan mo, contact, mga photo at bank details.`,
      'Mananatili sa talaan ang mga halaga ng loan at wallet, nang wala ang pangalan mo.',
    ],
    send: 'Ipadala ang hiling',
    sentOn: (date) => `Ipinadala noong ${date}.`,
    takeBack: 'Bawiin ang hiling',
    failed: 'Hindi namin makita kung humiling ka ng pagbura',
  },
};
