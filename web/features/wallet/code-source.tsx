import { useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import * as api from '#contract/borrower-endpoints.ts';
import type { Reply } from '#contract/endpoint.ts';
import { readContact, sendTextCode } from '#contract/message-endpoints.ts';
import type { WithdrawalForm } from '#contract/withdrawal.ts';
import { limits } from '#domain/limits.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { CallError, codeOf } from '#web/lib/call-error.ts';
import { lender, now } from '#web/lib/lender.ts';
import { PasswordDialog } from '#web/lib/password-dialog.tsx';
import { amountOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { minutesAndSeconds, timeOrDay, useSecondsLeft } from '#web/lib/seconds-left.ts';
import { useUser } from '#web/lib/session.tsx';
import { keptValues } from '#web/lib/typed-values.ts';
import { QuietButton } from '#web/ui/button.tsx';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { type Step, Steps } from '#web/ui/steps.tsx';

/** When staff were asked for a code. `newest` is the id of the newest notice of a code at that time, or 0. */
type Asked = { at: string; newest: number };

const keptAs = 'request for a code';

/** Kept in this tab until the session ends, as typed values are: over closing the dialog, and over a reload. */
function useAsked(): [Asked | undefined, (asked: Asked) => void] {
  const { id } = useUser();
  const [asked, setAsked] = useState(() => {
    const { at, newest } = keptValues(id, keptAs).read() as Partial<Asked>;
    return typeof at === 'string' && typeof newest === 'number' ? { at, newest } : undefined;
  });
  return [
    asked,
    (made) => {
      keptValues(id, keptAs).write(made, {});
      setAsked(made);
    },
  ];
}

type Texted = Reply<typeof sendTextCode> & { at: string };

/** Reads how this account is reached, if the lender texts codes at all. */
const useContact = () =>
  useRead(readContact, { enabled: lender().messages?.codes === 'sms', anew: true }).data;

/** True if this account can have its code texted now (§codes-by-text). */
export const useTextsCodes = () => useContact()?.codes === 'sms';

/** The answer to asking for a code by text. */
export type TextState = { texted?: Texted | undefined; refusal?: string | undefined };

type CodeSourceProps = {
  /** True while the withdrawal is being sent. */
  isLocked: boolean;
  text: TextState;
  onText: () => void;
  onAsked: () => void;
};

/** Asks staff for a code (§asking-for-a-code), or has one texted (§codes-by-text), and shows how far that is. */
export function CodeSource({ isLocked, text: { texted, refusal }, onText, onAsked }: CodeSourceProps) {
  const { withdrawal } = useAccountWords();
  const [busy, run] = useAction();
  const contact = useContact();
  const notices = useRead(api.listNotifications, { anew: true });
  const { refetch } = notices;
  useReturnToPage(refetch);
  const [asked, setAsked] = useAsked();

  const codes = notices.data?.filter(({ type }) => type === 'otp_set') ?? [];
  const newestCode = codes[0]?.id ?? 0;
  const liveCode = codes.find(({ isOver }) => !isOver);
  // A code that came since then, and is used up, has answered the request.
  const request = asked && newestCode > asked.newest && !liveCode ? undefined : asked;
  const isSet = liveCode !== undefined && liveCode.id > (request?.newest ?? 0);
  const isTexted = texted !== undefined && !(liveCode && liveCode.createdAt > texted.at);

  function remember(at: string) {
    setAsked({ at, newest: newestCode });
    onAsked();
  }
  const ask = () =>
    run(withdrawal.codeRequestFailed, async () => {
      try {
        await call(api.requestCode);
        remember(now().toISOString());
      } catch (error) {
        if (codeOf(error) !== 'code_already_requested' || !(error instanceof CallError)) throw error;
        const sinceMs = limits.codeRequestEveryMinutes * 60_000 - (error.retryAfterSeconds ?? 0) * 1_000;
        const at = new Date(now().getTime() - sinceMs).toISOString();
        // A code that came since then has answered it: nobody waits, and nobody is told so (§asking-for-a-code).
        if (codes[0] && codes[0].createdAt >= at) throw error;
        remember(at);
      }
    });
  const lookAgain = () =>
    run(withdrawal.notLooked, async () => {
      const { error } = await refetch();
      if (error) throw error;
    });

  const mayAsk =
    !request || now().getTime() - Date.parse(request.at) > limits.codeRequestEveryMinutes * 60_000;
  const canText = contact?.codes === 'sms';
  return (
    <div className="flex flex-col gap-2 text-14">
      <div role="status" className="flex flex-col gap-2 empty:hidden [&_li]:min-h-7 [&_ol]:gap-1">
        {isTexted ? (
          <TextedSteps texted={texted} />
        ) : (
          <StaffSteps asked={request} code={isSet ? liveCode : undefined} />
        )}
        {refusal && <p>{refusal}</p>}
      </div>
      {!isLocked && (
        <div className="-mx-3 flex flex-wrap items-center gap-x-1">
          {!request && !isTexted && !canText && (
            <p className="px-3 text-ink-soft">{isSet ? withdrawal.isGone : withdrawal.noCode}</p>
          )}
          {canText && <TextButton texted={texted} onPress={onText} />}
          {mayAsk && !isTexted && (
            <QuietButton busy={busy && !request} onClick={() => void ask()}>
              {withdrawal.requestCode}
            </QuietButton>
          )}
          <QuietButton className="ml-auto" disabled={busy} onClick={() => void lookAgain()}>
            {withdrawal.lookAgain}
          </QuietButton>
        </div>
      )}
      {contact && !canText && contact.phone?.confirmedAt === null && (
        <p className="text-ink-soft">{withdrawal.confirmPhoneFirst}</p>
      )}
    </div>
  );
}

const retryAt = ({ retryAfterSeconds = limits.textCodeEverySeconds }: CallError) =>
  new Date(now().getTime() + retryAfterSeconds * 1_000).toISOString();

/** Looks again when the borrower comes back to the page: the call they waited for may have come. */
function useReturnToPage(act: () => unknown): void {
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === 'visible') act();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [act]);
}

type StaffStepsProps = {
  asked: Asked | undefined;
  /** The notice of the code that staff set. */
  code: Reply<typeof api.listNotifications>[number] | undefined;
};

/** Draws the three steps of a code from staff: asked for, set, told. */
function StaffSteps({ asked, code }: StaffStepsProps) {
  const { withdrawal, loanStatus, language } = useAccountWords();
  const { phone } = useUser();
  if (!asked && !code) return null;
  const isTexted = code?.details?.byText !== undefined;
  const steps: Step[] = [
    ...(asked
      ? [{ id: 'asked', title: withdrawal.askedAt(timeOrDay(asked.at, language)), state: 'done' } as const]
      : []),
    code
      ? { id: 'set', title: withdrawal.codeSetAt(timeOrDay(code.createdAt, language)), state: 'done' }
      : { id: 'set', title: withdrawal.codeRequested, state: 'current' },
    {
      id: 'told',
      title: isTexted ? withdrawal.texted : withdrawal.theyCall(phone),
      note: !isTexted && (
        <>
          {withdrawal.orCall} <PhoneLink to={lender().supportPhone} className="underline" />
        </>
      ),
      state: isTexted ? 'done' : code ? 'current' : 'ahead',
    },
  ];
  return <Steps steps={steps} label={withdrawal.codeSteps} stateLabels={loanStatus.stepStates} />;
}

function TextedSteps({ texted: { sentTo, at, expiresAt } }: { texted: Texted }) {
  const { withdrawal, loanStatus, language } = useAccountWords();
  const isOver = useSecondsLeft(expiresAt) === 0;
  const steps: Step[] = [
    {
      id: 'texted',
      title: withdrawal.textedAt({ to: sentTo, time: timeOrDay(at, language) }),
      state: 'done',
    },
    isOver
      ? { id: 'works', title: withdrawal.textExpired, state: 'failed' }
      : { id: 'works', title: withdrawal.textedWorks(timeOrDay(expiresAt, language)), state: 'current' },
  ];
  return <Steps steps={steps} label={withdrawal.codeSteps} stateLabels={loanStatus.stepStates} />;
}

function TextButton({ texted, onPress }: { texted: Texted | undefined; onPress: () => void }) {
  const { withdrawal } = useAccountWords();
  const waits = useSecondsLeft(texted?.resendAt);
  return waits > 0 ? (
    <p className="px-3 text-ink-soft tabular-nums">{withdrawal.textAgainIn(minutesAndSeconds(waits))}</p>
  ) : (
    <QuietButton onClick={onPress}>{withdrawal.textMe}</QuietButton>
  );
}

type TextCodeDialogProps = {
  details: z.input<typeof WithdrawalForm>;
  onAnswered: (text: TextState) => void;
  onClose: () => void;
};

/** Asks for the password before a code is texted. A refusal that another try would not change is shown beside the button that asks. */
export function TextCodeDialog({ details, onAnswered, onClose }: TextCodeDialogProps) {
  const { withdrawal, reach, session, peso, errorText, language } = useAccountWords();
  const { amount, bankName, bankAccountNumber } = details;
  const refusalOf = (error: CallError) =>
    codeOf(error) === 'too_many_requests'
      ? reach.tooMany(timeOrDay(retryAt(error), language))
      : errorText(error);
  return (
    <PasswordDialog
      title={withdrawal.textMe}
      text={withdrawal.textMeText({
        amount: peso(amountOf(amount)),
        account: `${bankName.trim()}, ${withdrawal.endingIn(bankAccountNumber.trim().slice(-4))}`,
      })}
      sendLabel={withdrawal.textMeSend}
      busyLabel={session.pleaseWait}
      failedTitle={reach.notSent}
      send={async ({ password }) => {
        try {
          const sent = await call(sendTextCode, { body: { ...details, password } });
          onAnswered({ texted: { ...sent, at: now().toISOString() } });
        } catch (error) {
          const isFinal = ['codes_by_staff', 'too_many_requests'].includes(codeOf(error) ?? '');
          if (!isFinal || !(error instanceof CallError)) throw error;
          onAnswered({ refusal: refusalOf(error) });
        }
      }}
      onClose={onClose}
    />
  );
}
