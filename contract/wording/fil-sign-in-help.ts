import { limits } from '#domain/limits.ts';
import type { signInHelp as english } from './en-sign-in-help.ts';

export const signInHelp: typeof english = {
  signedOut: {
    title: 'Bakit ka na-sign out',
    expired: `Tumatagal nang ${limits.borrowerSessionDays} araw ang pag-sign in. Natatapos ito nang mas maaga kapag pinalitan ang password mo, sa ibang device o ng aming staff, o kapag isinara ang account mo. Kung wala kang hiniling sa mga ito, tawagan kami.`,
    address: 'Hindi magagamit ang panel mula sa address na ito.',
    idle: 'Na-sign out ka dahil matagal kang walang ginawa.',
    suspended:
      'Naka-hold ang account mo. Walang nagbago sa loan at pera mo. Tawagan kami, at sasabihin namin kung bakit at ano ang gagawin.',
  },

  secondStep: {
    code: 'Code ng ikalawang hakbang mo',
    hint: 'Anim na digit mula sa authenticator app mo, o isang recovery code.',
    lost: 'Nawala ang phone? Gumamit ng recovery code. Kung wala, ipa-reset sa main admin ang ikalawang hakbang mo; ang sa main admin mismo ay nire-reset sa console ng server.',
  },

  staffHere: {
    title: 'Naka-sign in ka bilang staff',
    text: 'Para sa mga nanghihiram ang mga pahinang ito. Nasa admin panel ang gawain mo.',
    link: 'Buksan ang admin panel',
  },

  accountExists: {
    title: 'May Account Na',
    text: 'May account ka na, mag-login na lang',
    toLogin: 'Pumunta sa Login',
  },

  forgot: {
    text: 'Tawagan kami. Titiyakin muna ng aming staff na ikaw ito, saka ka bibigyan ng bagong password.',
    have: 'Ihanda ang mga ito',
    things: ['Ang numero ng telepono ng account mo', 'Valid ID', 'Ang loan number mo, kung may loan ka'],
    lostPhone:
      'Kung nawala o nanakaw ang phone mo, tumawag gamit ang kahit anong phone. Puwede naming i-lock ang account mo para walang ibang makapasok.',
    neverAsk:
      'Hindi kailanman hihingin ng aming staff ang password o one-time code mo. Huwag itong ibigay sa sinumang tumawag o mag-message.',
  },
};
