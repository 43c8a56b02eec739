import { useCoreWords } from './language.tsx';
import { useSession } from './session.tsx';

/** Why the server ended the session, for the pages that staff meet then. Undefined while nothing ended one. */
export function useLossText(): string | undefined {
  const session = useSession();
  const { errors, session: words } = useCoreWords();
  if (session.state !== 'signedOut' || session.lost === undefined) return undefined;
  return {
    expired: `${words.endedTitle}. ${errors.not_signed_in}.`,
    suspended: errors.account_suspended,
    address: `${errors.ip_not_allowed}.`,
    idle: `${errors.session_idle}.`,
  }[session.lost];
}
