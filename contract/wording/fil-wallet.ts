import { limits } from '#domain/limits.ts';
import type { wallet as english } from './en-wallet.ts';
import { noticesIn } from './notices.ts';

export const wallet: typeof english = {
  wallet: {
    balance: 'Balance ng wallet',
    neverPay: 'Walang bayad ang pag-release. May humingi?',
  },

  withdrawal: {
    start: 'Mag-withdraw ng pera',
    unavailable: 'Hindi ka pa makakapag-withdraw',
    title: 'Mag-withdraw ng Pera',
    lead: 'Kukumpirmahin mo ito gamit ang one-time code mula sa aming staff.',
    amount: 'Halaga',
    inWallet: (balance) => `${balance} sa wallet`,
    allOfIt: 'Lahat',
    change: 'Palitan',
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
    approvedText: ({ amount, bankName }) => `${amount} sa ${bankName}.`,
    submitted: 'Naipadala ang withdrawal',
    submittedText: 'Susuriin muna ng aming staff ang bank account.',
    isApproved: 'Aprubado ang withdrawal mo',
    checkedFirst: 'Susuriin muna namin ang account',
    tellWhenSent: 'Ipapadala ito ng aming staff. Magme-message kami kapag naipadala na.',
    number: 'Numero',
    failed: 'Hindi natuloy ang withdrawal',
    unknown: 'Hindi pa namin alam kung natuloy ito',
    unknownText: 'Kung natuloy, nasa listahan ito ng mga withdrawal mo. Tumingin muna roon bago umulit.',
    list: 'Mga withdrawal',
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

  application: {
    title: 'Application mo',
    none: 'Wala kang pending na loan application.',
    noneText: 'Kapag nag-apply ka, masusundan mo rito ang bawat hakbang.',
    failed: 'Hindi ma-load ang application mo',
    eitherWay: 'Sasabihan ka namin, aprubado man o hindi',
    preview: 'Buod ng loan',
    previewNone: 'Makikita rito ang gastos ng loan mo kapag nakapag-apply ka na.',
    amount: 'Halaga',
    papers: 'Kontrata at iskedyul ng hulog',
  },

  messages: {
    latest: 'Pinakahuling mensahe',
    none: 'Wala pang mensahe',
    noneNew: 'Walang bagong mensahe',
    noneText:
      'Makikita rito ang isinusulat sa iyo ng aming staff, at bawat pagbabagong ginagawa nila sa account mo.',
    accessTitle: 'Nabago mula noong huli kang tumingin',
    accessClose: 'Nabasa ko na ito',
    all: (count) => `Lahat ng mensahe (${count})`,
    failed: 'Hindi ma-load ang mga mensahe mo',
    isNew: 'Bago',
    memberStatus: { active: 'Aktibo', pending: 'Pending', suspended: 'Suspendido' },
  },

  notices: /* @__PURE__ */ noticesIn('fil'),
};
