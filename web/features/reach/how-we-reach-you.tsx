import { CircleCheckIcon, MailIcon, SmartphoneIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import * as z from 'zod/mini';
import type { Reply } from '#contract/endpoint.ts';
import * as api from '#contract/message-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { oneTimeCode } from '#contract/withdrawal.ts';
import { limits } from '#domain/limits.ts';
import { type Declinable, declinables } from '#domain/message.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { CallError, codeOf } from '#web/lib/call-error.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { now } from '#web/lib/lender.ts';
import { queryClient, readKey, useRead } from '#web/lib/query.tsx';
import { minutesAndSeconds, timeOrDay, useSecondsLeft } from '#web/lib/seconds-left.ts';
import { useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

type Contact = Reply<typeof api.readContact>;

const keep = (contact: Contact) => queryClient.setQueryData(readKey(api.readContact), contact);

/** Phone and e-mail address with their confirmation, and what is wanted (§confirmed-addresses); nothing where no channel is set up. */
export function HowWeReachYou() {
  const { reach } = useAccountWords();
  const { data: contact } = useRead(api.readContact, { anew: true });
  if (!contact) return null;
  const { sms, email } = contact.channels;
  if (!sms && !email) return null;
  return (
    <Card id="reach" role="region" aria-labelledby="reach-title">
      <h2 id="reach-title" className="font-heading text-20 font-bold">
        {reach.title}
      </h2>
      <p className="mb-3 text-14 text-ink-soft">
        {reach.lead[sms && email ? 'both' : sms ? 'sms' : 'email']}
      </p>
      <ul className="-mx-card divide-y divide-line border-y border-line *:px-card">
        {sms && <Address channel="phone" icon={<SmartphoneIcon />} address={contact.phone} />}
        {email && <Address channel="email" icon={<MailIcon />} address={contact.email} />}
      </ul>
      <Wants wants={contact.wants} />
    </Card>
  );
}

const calls = {
  phone: { send: api.sendPhoneCode, confirm: api.confirmPhone },
  email: { send: api.sendEmailCode, confirm: api.confirmEmail },
} as const;

/** A code that was sent, or that may have been: then nobody knows until when it works. */
type Sent = { sentTo: string; resendAt: string; expiresAt?: string };

type AddressProps = { channel: keyof typeof calls; icon: ReactNode; address: Contact['phone'] };

function Address({ channel, icon, address }: AddressProps) {
  const { reach, date, language, errorText } = useAccountWords();
  const { phone } = useUser();
  const words = reach[channel];
  const [sent, setSent] = useState<Sent>();
  const [busy, run] = useAction();
  const [refusal, setRefusal] = useState('');

  const send = () =>
    run(reach.notSent, async () => {
      setRefusal('');
      try {
        setSent(await call(calls[channel].send));
      } catch (error) {
        if (codeOf(error) !== 'too_many_requests' || !(error instanceof CallError)) throw error;
        const waitMs = (error.retryAfterSeconds ?? limits.contactCodeEverySeconds) * 1_000;
        const resendAt = new Date(now().getTime() + waitMs).toISOString();
        setSent((before) => ({ ...before, sentTo: address?.sentTo ?? '', resendAt }));
        // Within the minute the countdown says enough.
        if (waitMs > limits.contactCodeEverySeconds * 1_000) {
          setRefusal(reach.tooMany(timeOrDay(resendAt, language)));
        }
      }
    });

  if (address === null) {
    return (
      <Row icon={icon} label={words.label}>
        {channel === 'phone' ? (
          reach.notMobile(phone)
        ) : (
          <>
            {reach.noEmail}{' '}
            <Link href={`${paths.profile}#personal`} className="font-semibold text-leaf underline">
              {reach.addEmail}
            </Link>
          </>
        )}
      </Row>
    );
  }
  const { sentTo, confirmedAt } = address;
  return (
    <Row
      icon={icon}
      label={words.label}
      value={sentTo}
      button={
        confirmedAt === null &&
        !sent && (
          <Button
            look="secondary"
            size="compact"
            className="max-sm:ml-8.5"
            busy={busy}
            onClick={() => void send()}
          >
            {words.confirm}
          </Button>
        )
      }
      below={
        confirmedAt === null &&
        sent && (
          <CodeForm
            channel={channel}
            sent={sent}
            refusal={refusal}
            isSending={busy}
            onSendAgain={() => void send()}
            onConfirmed={(contact) => {
              setSent(undefined);
              toast({ title: words.confirmed });
              keep(contact);
            }}
            sayWrong={(error) => (codeOf(error) === 'invalid_code' ? reach.wrongCode : errorText(error))}
          />
        )
      }
    >
      {confirmedAt === null ? (
        reach.unconfirmed
      ) : (
        <span className="flex items-center gap-1.5 font-semibold text-good">
          <CircleCheckIcon className="size-4 shrink-0" aria-hidden="true" />
          {reach.confirmedOn(date(confirmedAt))}
        </span>
      )}
    </Row>
  );
}

type RowProps = {
  icon: ReactNode;
  label: string;
  value?: string;
  button?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
};

const Row = ({ icon, label, value, button, below, children }: RowProps) => (
  <li className="py-3.5">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-[1_1_14rem] gap-3.5">
        <span className="mt-0.5 shrink-0 text-ink-soft [&_svg]:size-5" aria-hidden="true">
          {icon}
        </span>
        <div className="min-w-0">
          <p className="font-semibold">
            {label}
            {value !== undefined && (
              <span translate="no" className="ml-2 font-normal wrap-anywhere">
                <bdi>{value}</bdi>
              </span>
            )}
          </p>
          <p className="text-14 text-ink-soft wrap-anywhere">{children}</p>
        </div>
      </div>
      {button}
    </div>
    {below}
  </li>
);

const CodeRules = z.object({ code: oneTimeCode });

type CodeFormProps = {
  channel: keyof typeof calls;
  sent: Sent;
  refusal: string;
  isSending: boolean;
  onSendAgain: () => void;
  onConfirmed: (contact: Contact) => void;
  sayWrong: (error: unknown) => string;
};

/** The code that was sent to an address: typed in, and sent anew after a while. */
function CodeForm(props: CodeFormProps) {
  const { channel, sent, refusal, isSending, onSendAgain, onConfirmed, sayWrong } = props;
  const { reach, language, session } = useAccountWords();
  const words = reach[channel];
  const form = useSchemaForm(CodeRules, { defaultValues: { code: '' } });
  const [busy, setBusy] = useState(false);
  const waits = useSecondsLeft(sent.resendAt);
  const lives = useSecondsLeft(sent.expiresAt);
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    try {
      onConfirmed(await call(calls[channel].confirm, { body }));
    } catch (error) {
      if (codeOf(error) === 'invalid_code') form.setValue('code', '');
      form.setError('code', sayWrong(error));
      setBusy(false);
    }
  });

  const { expiresAt } = sent;
  return (
    <form noValidate onSubmit={submit} className="mt-3 flex flex-col gap-3">
      <p role="status" className="text-14">
        {refusal ||
          (expiresAt === undefined
            ? reach.maybeSent
            : lives === 0
              ? reach.expired
              : `${words.sent(sent.sentTo)} ${reach.worksUntil(timeOrDay(expiresAt, language))}`)}
      </p>
      <CodeField {...form.field('code')} label={reach.code} length={limits.otpLength} hint={words.notHere} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button type="submit" busy={busy} busyLabel={session.pleaseWait}>
          {reach.confirm}
        </Button>
        {waits === 0 ? (
          <QuietButton className="-mr-3" busy={isSending} onClick={onSendAgain}>
            {reach.again}
          </QuietButton>
        ) : (
          <span className="text-14 text-ink-soft tabular-nums">
            {waits < 3_600
              ? reach.againIn(minutesAndSeconds(waits))
              : reach.againAt(timeOrDay(sent.resendAt, language))}
          </span>
        )}
      </div>
    </form>
  );
}

function Wants({ wants }: Pick<Contact, 'wants'>) {
  const { reach, shell } = useAccountWords();
  const words = reach.wants;
  const [busy, run] = useAction();
  /** Shows at once, even while it is sent. */
  const [asked, setAsked] = useState<Partial<Contact['wants']>>({});
  const change = (name: Declinable, isOn: boolean) => {
    if (busy) return;
    setAsked({ [name]: isOn });
    void run(shell.updateFailed, async () => {
      keep(await call(api.updateContact, { body: { wants: { [name]: isOn } } }));
      toast({ title: words.saved });
    }).finally(() => setAsked({}));
  };
  return (
    <fieldset className="pt-3.5">
      <legend className="sr-only">{words.title}</legend>
      {declinables.map((name) => (
        <SwitchField
          key={name}
          {...words[name]}
          isOn={asked[name] ?? wants[name]}
          onChange={(isOn) => change(name, isOn)}
        />
      ))}
      <p className="mt-2 text-14 text-ink-soft">{words.always}</p>
    </fieldset>
  );
}
