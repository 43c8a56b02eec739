import { limits } from '#domain/limits.ts';
import type { account as englishAccount } from './en-account.ts';

const news = {
  loan: {
    pending: ['Sinusuri ang loan mo', 'Sasabihan ka namin, aprubado man o hindi.'],
    approved: ['Aprubado ang loan mo', 'Susunod, darating ang pera sa wallet mo.'],
    denied: [
      'Hindi naaprubahan ang loan mo',
      'Puwede kang mag-apply ulit, o magtanong sa aming staff tungkol dito.',
    ],
    rejected: [
      'Hindi naaprubahan ang loan mo',
      'Puwede kang mag-apply ulit, o magtanong sa aming staff tungkol dito.',
    ],
    account_issue: [
      'May kailangang ayusin sa account mo',
      'Makipag-ugnayan sa aming staff para maituloy ang application.',
    ],
    active: ['Aktibo na ang loan mo', 'Nasa iskedyul ng hulog kung magkano at kailan ang bayad.'],
    completed: ['Bayad na nang buo ang loan mo', 'Salamat.'],
  } as Record<string, [title: string, next: string]>,
  account: {
    active: 'Aktibo na ang account mo',
    pending: 'Sinusuri ang account mo',
    suspended: 'Suspendido ang account mo',
  } as Record<string, string>,
  withdrawal: {
    approved: 'Aprubado ang withdrawal mo',
    completed: 'Naipadala na ang withdrawal mo',
    rejected: 'Hindi naaprubahan ang withdrawal mo',
  } as Record<string, string>,
};

const accessParts: Record<string, string> = {
  password: 'password',
  bank: 'bank details',
  code: 'one-time code',
  balance: 'balance sa wallet',
};

/** What `en-account.ts` is in English. See `fil.ts`. */
export const account: typeof englishAccount = {
  notices: {
    balance_changed: {
      title: ({ change = '', amount = '' }) =>
        ({
          released: `Nailabas na ang ${amount}`,
          added: `Nadagdagan ng ${amount} ang wallet mo`,
          taken: `Nabawasan ng ${amount} ang wallet mo`,
        })[change] ?? 'Nagbago ang balance ng wallet mo',
      message: ({ change, loanNumber, amount = '', before = '', after = '' }) =>
        change !== 'released'
          ? `Mula ${before} naging ${after}.`
          : `${loanNumber ? `Loan ${loanNumber}: nasa` : 'Nasa'} wallet mo na ang ${amount}. Puwede mo itong i-withdraw.`,
    },
    otp_set: {
      title: 'May one-time code na para sa iyo',
      message: ({ hours = '' }) =>
        `Hingin ito sa aming staff kapag magwi-withdraw ka. Isang beses lang magagamit, sa loob ng ${hours} oras.`,
    },
    password_set: {
      title: 'Pinalitan ng aming staff ang password mo',
      message: () => 'Kung hindi mo ito hiniling, makipag-ugnayan agad sa amin.',
    },
    bank_details_changed: {
      title: 'Binago ang bank details mo',
      message: () =>
        'Ang aming staff ang nagbago nito. Kung hindi mo ito hiniling, makipag-ugnayan agad sa amin.',
    },
    status_changed: {
      title: ({ status = '', statusCode = status }) =>
        news.account[statusCode] ?? 'Nagbago ang status ng account mo',
      message: ({ status = '' }) => `Ngayon ay: ${status}.`,
    },
    loan_status_changed: {
      title: ({ status = '', statusCode = status }) => news.loan[statusCode]?.[0] ?? `Ang loan mo: ${status}`,
      message: ({ loanNumber = '', status = '', statusCode = status, reason = '' }) =>
        [`Loan ${loanNumber}: ${status}.`, reason && `Dahilan: ${reason}`, news.loan[statusCode]?.[1]]
          .filter(Boolean)
          .join('\n'),
    },
    loan_terms_changed: {
      title: 'Nagbago ang terms ng loan mo',
      message: ({ loanNumber = '', amount = '', termMonths = '', monthlyPayment = '' }) =>
        `Loan ${loanNumber}: ${amount} sa loob ng ${termMonths} buwan, ${monthlyPayment} bawat buwan. Nasa kontrata mo ang bagong bersyon.`,
    },
    withdrawal_status_changed: {
      title: ({ status = '', statusCode = status }) =>
        news.withdrawal[statusCode] ?? 'May pagbabago sa withdrawal mo',
      message: ({ withdrawalNumber = '', status = '', alsoChanged = '' }) =>
        [
          `Withdrawal ${withdrawalNumber}: ${status}.`,
          alsoChanged &&
            `Ang naglabas nito sa aming staff ang siya ring nagbago kamakailan ng iyong ${alsoChanged
              .split(',')
              .map((part) => accessParts[part] ?? part)
              .join(' at ')}, at walang ibang puwedeng sumuri. Kung may mali, makipag-ugnayan agad sa amin.`,
        ]
          .filter(Boolean)
          .join('\n'),
    },
    loan_deleted: {
      title: 'Inalis sa listahan ang loan mo',
      message: ({ loanNumber = '', contractOf = '' }) =>
        `Binura ng aming staff ang loan ${loanNumber}. ${contractOf ? 'Mababasa mo pa rin dito ang kontrata mo.' : 'Puwede kang mag-apply ulit.'} Kung hindi mo alam kung bakit, makipag-ugnayan sa amin.`,
    },
    phone_changed: {
      title: 'Pinalitan ang numero ng telepono mo',
      message: () =>
        'Pinalitan ng aming staff ang numerong ginagamit mo sa pag-sign in. Kung hindi mo ito hiniling, makipag-ugnayan agad sa amin.',
    },
    withdrawals_held: {
      title: 'Susuriin muna ng aming staff ang mga withdrawal mo',
      message: ({ days = '' }) =>
        `Nabago ang bank details at password mo sa loob ng maikling panahon. Sa loob ng ${days} araw, titingnan ng aming staff ang bawat withdrawal bago ilabas ang pera. Kung hindi ikaw ang gumawa nito, makipag-ugnayan agad sa amin.`,
    },
    deletion_requested: {
      title: 'Natanggap namin ang hiling mo na burahin ang datos mo',
      message: () =>
        'Titingnan ito ng aming staff. Hangga’t hindi pa nila naisasara ang account mo, gumagana ang lahat gaya ng dati, at puwede mong bawiin ang hiling.',
    },
    deletion_withdrawn: {
      title: 'Binawi mo ang hiling na burahin ang datos mo',
      message: () => 'Mananatili ang account mo.',
    },
  },

  signedOut: {
    title: 'Bakit ka na-sign out',
    expired: `Tumatagal nang ${limits.borrowerSessionDays} araw ang pag-sign in. Natatapos ito nang mas maaga kapag pinalitan ang password mo, sa ibang phone o ng aming staff, o kapag isinara ang account mo. Kung wala kang hiniling sa mga ito, tawagan kami.`,
    suspended:
      'Naka-hold ang account mo. Walang nagbago sa loan at pera mo. Tawagan kami, at sasabihin namin kung bakit at ano ang gagawin.',
  },

  forgot: {
    text: 'Tawagan kami. Titiyakin muna ng aming staff na ikaw ito, saka ka bibigyan ng bagong password.',
    have: 'Ihanda ang mga ito',
    things: ['Ang mobile number ng account mo', 'Valid ID', 'Ang loan number mo, kung may loan ka'],
    lostPhone:
      'Kung nawala o nanakaw ang phone mo, tumawag gamit ang kahit anong phone. Puwede naming i-lock ang account mo para walang ibang makapasok.',
    neverAsk:
      'Hindi kailanman hihingin ng aming staff ang password o one-time code mo. Huwag itong ibigay sa sinumang tumawag o mag-message.',
  },

  wallet: {
    balance: 'Balance ng wallet',
    showBalance: 'Ipakita ang balance',
    hideBalance: 'Itago ang balance',
    balanceHidden: 'Nakatago ang balance',
    neverPay:
      'Wala kang kailangang bayaran para makuha ang loan mo. Kung may humingi ng bayad, i-report ito.',
  },

  messages: {
    latest: 'Pinakahuling mensahe',
    title: 'Mga mensahe',
    none: 'Wala pang mensahe',
    noneNew: 'Walang bagong mensahe',
    noneText:
      'Makikita rito ang isinusulat sa iyo ng aming staff, at bawat pagbabagong ginagawa nila sa account mo.',
    openContract: 'Buksan ang kontrata',
    accessTitle: 'Nabago mula noong huli kang tumingin',
    accessClose: 'Nabasa ko na ito',
    all: (count) => `Lahat ng mensahe (${count})`,
    failed: 'Hindi ma-load ang mga mensahe mo',
    memberStatus: { active: 'Aktibo', pending: 'Pending', suspended: 'Suspendido' },
  },

  application: {
    title: 'Application mo',
    none: 'Wala kang pending na loan application.',
    noneText: 'Kapag nag-apply ka, masusundan mo rito ang bawat hakbang.',
    failed: 'Hindi ma-load ang application mo',
    eitherWay: 'Sasabihan ka namin, aprubado man o hindi',
    toWallet: 'Sa wallet mo',
    preview: 'Buod ng loan',
    previewNone: 'Makikita rito ang gastos ng loan mo kapag nakapag-apply ka na.',
    amount: 'Halaga',
    papers: 'Kontrata at iskedyul ng hulog',
  },

  withdrawal: {
    start: 'Mag-withdraw ng pera',
    unavailable: 'Hindi ka pa makakapag-withdraw',
    title: 'Mag-withdraw ng Pera',
    lead: 'Kukumpirmahin mo ito gamit ang one-time code mula sa aming staff.',
    amount: 'Halaga',
    inWallet: (balance) => `${balance} sa wallet`,
    allOfIt: 'Lahat',
    toProfile: 'Ito ang bank account na nasa profile mo.',
    toOther:
      'Hindi ito ang bank account na nasa profile mo, kaya susuriin muna ng aming staff bago ilabas ang pera.',
    continue: 'Magpatuloy',
    codeTitle: 'Ilagay ang OTP Code',
    codeLead: `Hingin sa aming staff ang ${limits.otpLength}-digit code mo. Isang beses lang itong magagamit.`,
    code: 'OTP code',
    noCode: 'Wala ka pang code?',
    requestCode: 'Humingi ng code',
    codeRequestFailed: 'Hindi naipadala ang paghingi ng code',
    codeHint: `Pagkatapos ng ${limits.otpMaxWrongTries} maling subok, hindi na gagana ang code.`,
    youWithdraw: 'Iwi-withdraw mo',
    to: 'Papunta sa',
    left: 'Matitira sa wallet',
    leftUnknown: 'Hindi nabasa ang balance mo ngayon',
    endingIn: (digits) => `account na nagtatapos sa ${digits}`,
    confirm: 'I-confirm',
    approved: 'Aprubado ang withdrawal',
    approvedText: ({ amount, bankName }) => `Papunta na sa ${bankName} ang ${amount}.`,
    submitted: 'Naipadala ang withdrawal',
    submittedText: 'Susuriin muna ng aming staff ang bank account.',
    failed: 'Hindi natuloy ang withdrawal',
    unknown: 'Hindi pa namin alam kung natuloy ito',
    unknownText: 'Kung natuloy, nasa listahan ito ng mga withdrawal mo. Tumingin muna roon bago umulit.',
    list: 'Mga withdrawal',
    all: (count) => `Lahat (${count})`,
    fewer: 'Ipakita ang mas kaunti',
    none: 'Wala pang withdrawal',
    noneText: 'Makikita rito ang inilabas mo sa wallet at kung saan ito napunta.',
    listFailed: 'Hindi ma-load ang mga withdrawal mo',
    returned: 'Ibinalik sa wallet mo',
    sent: (date) => `Naipadala ${date}`,
    statuses: {
      pending: 'Pending',
      approved: 'Aprubado',
      completed: 'Naipadala na',
      rejected: 'Tinanggihan',
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
    trendNone: 'Wala pang pagbabago',
    trend: (percent) => `${percent}% kumpara sa dating score`,
    checklist: 'Mga kailangan sa application',
    complete: 'Kumpleto na ang profile mo',
    completeText: 'Susunod, pumili ng halaga. Makikita mo ang buong gastos bago ka pumayag.',
    pieceThere: 'mayroon na',
    pieceMissing: 'kulang',
    personal: 'Personal na Impormasyon',
    personalWhy: 'Para malaman namin kung sino ang nanghihiram at saan pupunta ang pera mo.',
    edit: 'Baguhin ang personal na impormasyon',
    view: 'Tingnan ang personal na impormasyon',
    viewTitle: 'Ang impormasyon mo sa amin',
    email: 'Email',
    memberSince: 'Miyembro mula',
    notGiven: 'Hindi ibinigay',
    showNumber: 'Ipakita ang numero',
    hideNumber: 'Itago ang numero',
    groups: {
      you: { title: 'Ikaw', why: 'Para malaman namin kung sino ang nanghihiram at paano ka maaabot.' },
      work: { title: 'Trabaho', why: 'Para umangkop ang hulog sa kinikita mo.' },
      reference: {
        title: 'Reference',
        why: 'Isang taong nakakakilala sa iyo at nasabihan mo na. Tatawagan lang namin siya kapag hindi ka namin maabot, wala nang iba, at buburahin namin ang detalye niya kasabay ng account mo.',
      },
      bank: {
        title: 'Bangko',
        why: 'Dito pupunta ang mga withdrawal mo. Sinusuri muna ng aming staff ang ibang account.',
      },
    },
    save: 'I-save',
    saved: 'Na-update ang profile',
    account: 'Account',
    changePassword: 'Palitan ang password',
    passwordWhy: 'Pagkatapos nito, mase-sign out ka sa lahat ng ibang phone.',
    passwordIssued:
      'Galing sa aming staff ang password mo. Palitan mo ng sarili mo, para ikaw lang ang nakakaalam.',
    languageWhy: 'Para sa phone na ito lang.',
  },

  consents: {
    profile: (lender) =>
      `Sa pag-save, pumapayag kang itago ng ${lender} ang mga detalyeng ito at gamitin para sa nakasulat sa tabi ng mga ito.`,
    documents: (lender) =>
      `Sa paglalagay ng photo, pumapayag kang itago ito ng ${lender} para matiyak na ikaw nga ito.`,
    application: (lender) =>
      `Sa pagpapadala, pumapayag kang gamitin ng ${lender} ang profile at mga dokumento mo para pagpasyahan ang application na ito at, kung maaprubahan, para i-manage ang loan.`,
  },

  privacy: {
    title: 'Ang datos mo',
    why: 'Karapatan mong makita, makopya at ipabura ang itinatago namin tungkol sa iyo.',
    download: 'I-download ang aking datos',
    downloadNote: 'Isang ZIP file na may lahat ng itinatago namin tungkol sa iyo, pati mga photo.',
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

  documents: {
    title: 'Mga dokumento',
    why: 'Ipinapakita ng ID kung sino ka, at ng selfie na sa iyo ang ID. Ikaw at ang aming staff lang ang makakakita.',
    acceptedIds: 'Tinatanggap na ID, basta hindi pa expired:',
    ids: 'National ID (PhilSys), passport, driver’s license, UMID, SSS, PRC, postal o voter’s ID.',
    howTo:
      'Punuin ng ID ang frame, nakalapag at maliwanag. Sa selfie, humarap sa liwanag, walang sombrero o mask.',
    add: 'Maglagay ng photo',
    change: 'Palitan ang photo',
    preparing: 'Inihahanda',
    uploading: 'Ina-upload',
    percent: (percent) => `${percent}%`,
    uploaded: 'Na-upload ang dokumento',
    blurred: 'Mukhang malabo ang photo na ito. Kung hindi mo mabasa ang maliliit na sulat, kunan mo ulit.',
    blurredFace: 'Mukhang malabo ang photo na ito. Kung hindi malinaw ang mukha mo, kunan mo ulit.',
    takeAgain: 'Kunan ulit',
    keep: 'Okay na',
    refresh: 'I-refresh ang mga dokumento',
    refreshed: 'Na-refresh ang mga dokumento',
    loading: 'Nilo-load ang photo',
    loadFailed: 'Hindi ma-load ang photo',
    open: {
      idFrontUrl: 'Tingnan ang harapan',
      idBackUrl: 'Tingnan ang likuran',
      selfieUrl: 'Tingnan ang photo mo',
    },
  },

  papers: {
    title: 'Mga papeles ng loan',
    why: 'Ang napagkasunduan, at kung kailan ang bawat hulog.',
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
    purpose: 'Para saan ang loan',
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
    accept: (version) => `Tanggapin ang bersyon ${version}`,
    accepted: 'Tinanggap ang mga tuntunin',
    acceptedText: (version) => `Sumang-ayon ka sa bersyon ${version} ng kontrata mo.`,
    acceptedOn: (date) => `Tinanggap mo ang bersyong ito noong ${date}.`,
    acceptFailed: 'Hindi natanggap ang mga tuntunin',
    downloadVersion: (version) => `I-download ang bersyon ${version}`,
    fingerprint: 'Fingerprint (SHA-256) ng mga halaga sa itaas, na walang makapagbabago',
    download: 'I-download ang PDF',
    downloadOther: 'PDF sa Ingles',
    downloading: 'Inihahanda ang PDF',
    downloadFailed: 'Hindi na-download',
    toCalendar: 'Idagdag sa aking kalendaryo',
    toTable: 'I-download bilang CSV',
    preparingFile: 'Inihahanda ang file',
    leftToPay: 'Natitirang babayaran',
    leftSpoken: ({ total, count, last }) =>
      `${total} ang natitirang babayaran sa ${count} pantay na hulog, wala na pagkatapos ng ${last}`,
    number: 'Blg.',
    dueDate: 'Due date',
    amount: 'Halaga',
    leftAfter: 'Matitira',
    status: 'Status',
    rowStatuses: { pending: 'Pending' },
  },
};
