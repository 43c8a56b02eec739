import type { reach as english } from './en-reach.ts';

export const reach: typeof english = {
  title: 'Paano ka namin maaabot',
  lead: {
    sms: 'Sa text, kahit hindi nakabukas ang app.',
    email: 'Sa email, kahit hindi nakabukas ang app.',
    both: 'Sa text at email, kahit hindi nakabukas ang app.',
  },
  phone: {
    label: 'Phone',
    confirm: 'Kumpirmahin ang phone ko',
    confirmed: 'Kumpirmado na ang phone',
    sent: (to) => `Nag-text kami ng code sa ${to}.`,
    notHere: 'Walang dumating? Minsan inaabot ng isang minuto ang text. Tingnan kung may signal ka.',
  },
  email: {
    label: 'Email',
    confirm: 'Kumpirmahin ang email ko',
    confirmed: 'Kumpirmado na ang email',
    sent: (to) => `Nag-email kami ng code sa ${to}.`,
    notHere: 'Walang dumating? Tingnan din ang spam folder mo.',
  },
  unconfirmed: 'Hindi pa kumpirmado: wala pa kaming ipinapadala rito',
  confirmedOn: (date) => `Kumpirmado noong ${date}`,
  notMobile: (phone) =>
    `Hindi makakatanggap ng text namin ang ${phone}: sa Philippine mobile number lang ito napupunta. Mapapalitan ng aming staff ang numero mo.`,
  noEmail: 'Walang email address sa profile mo.',
  addEmail: 'Maglagay',
  code: 'Confirmation code',
  worksUntil: (time) => `Gagana ito hanggang ${time}.`,
  expired: 'Paso na ang code na iyon. Humingi ng bago.',
  maybeSent: 'Kung may code ka pa mula kanina, puwede mo pa itong ilagay dito.',
  confirm: 'Kumpirmahin',
  again: 'Magpadala ng bagong code',
  againIn: (time) => `Bagong code sa loob ng ${time}`,
  againAt: (moment) => `Bagong code sa ${moment}`,
  notSent: 'Hindi naipadala ang code',
  tooMany: (moment) => `Hindi pa kami makakapagpadala ng panibagong code. Ang susunod: ${moment}.`,
  wrongCode: 'Mali ang code na ito o hindi na gumagana. Tingnan ulit, o humingi ng bago.',
  wants: {
    title: 'Sabihan din ako',
    reminders: {
      label: 'Mga paalala',
      note: 'Bago ang due date ng hulog, sa mismong araw, at kung lampas na.',
    },
    news: {
      label: 'Mga balita',
      note: 'Desisyon, bagong terms, sagot at mensahe mula sa aming staff.',
    },
    always: 'Lagi ka naming sasabihan tungkol sa mga code, sa pera mo, at sa mga pagbabago sa account mo.',
    saved: 'Na-save',
  },
};
