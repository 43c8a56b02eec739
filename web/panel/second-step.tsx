import { PrinterIcon } from 'lucide-react';
import { useState } from 'react';
import * as api from '#contract/api.ts';
import { type SecondStep, SecondStepCode, SecondStepRemoval, SecondStepSetUp } from '#contract/staff.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { call } from '#web/lib/call.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { brand } from '#web/lib/lender.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { writeToken } from '#web/lib/token.ts';
import { TopLines } from '#web/lib/top-lines.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { FormDialog } from './lib/dialogs.tsx';
import { date } from './lib/format.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { CopyButton } from './lib/secret.tsx';
import { useStaffForm } from './lib/staff-action.ts';

const words = panel.secondStep;
const passwordField = { kind: 'password', label: words.password, isFirst: true } as const;
const codeField = { label: words.code, autoComplete: 'one-time-code' };

/** Fetched by those few who set one up. */
const QrCode = lazyPart(() => import('./lib/qr-code.tsx'), 'QrCode');

/** Says whether the reader has a second step, and leads into it and out of it (§second-step). */
export function OwnSecondStep() {
  const { secondStep } = useUser();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Card className="flex items-center justify-between gap-6">
      <div className="text-14">
        <p>
          {secondStep
            ? `${words.on(date(secondStep.since))} ${words.codesLeft(secondStep.recoveryCodesLeft)}`
            : words.off}
        </p>
        {secondStep && <p className="mt-1 text-12 text-ink-soft">{words.lost}</p>}
      </div>
      {secondStep ? (
        <Button look="secondary" className="shrink-0" onClick={() => setLeaving(true)}>
          {words.switchOff}
        </Button>
      ) : (
        <SetUp />
      )}
      {isLeaving && <SwitchOffDialog onClose={() => setLeaving(false)} />}
    </Card>
  );
}

/** The only page for staff without a second step where the lender requires one. */
export function SecondStepFirst() {
  const { signOut } = useSession();
  usePageTitle(words.title);
  return (
    <div className="flex min-h-dvh flex-col">
      <header>
        <TopLines />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-120 flex-1 flex-col justify-center gap-5 px-5"
      >
        <Logo {...brand()} />
        <PanelTitle>{words.title}</PanelTitle>
        <Card className="flex flex-col items-start gap-3">
          <p>{words.required}</p>
          <p className="text-14 text-ink-soft">{words.text}</p>
          <SetUp />
        </Card>
        <Button look="quiet" className="self-start" onClick={signOut}>
          {panel.shell.logout}
        </Button>
      </main>
    </div>
  );
}

/** Keeps the new token before anything is read with the old one, which has ended. */
async function renewing<Reply extends { token: string }>(reply: Promise<Reply>): Promise<Reply> {
  const answer = await reply;
  writeToken(answer.token);
  return answer;
}

/** The button, the dialogs with password, key and code, and the recovery codes, which are told only once. */
function SetUp() {
  const { refresh } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [begun, setBegun] = useState<SecondStep>();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <>
      <Button className="shrink-0" onClick={() => setAsking(true)}>
        {words.start}
      </Button>
      {isAsking && (
        <PasswordDialog
          onBegun={(next) => {
            setBegun(next);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {begun && (
        <KeyDialog
          begun={begun}
          onConfirmed={(recoveryCodes) => {
            setCodes(recoveryCodes);
            setBegun(undefined);
          }}
          onClose={() => setBegun(undefined)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onKept={() => void refresh()} />}
    </>
  );
}

type PasswordProps = { onBegun: (begun: SecondStep) => void; onClose: () => void };

function PasswordDialog({ onBegun, onClose }: PasswordProps) {
  const form = useStaffForm(SecondStepSetUp, {
    values: { password: '' },
    fields: { password: passwordField },
    send: (body) => call(api.setUpSecondStep, { body }),
    failedTitle: words.failedOn,
    onSaved: (begun) => onBegun(begun),
  });
  return (
    <FormDialog
      title={words.title}
      description={words.passwordText}
      saveLabel={words.next}
      form={form}
      onClose={onClose}
    />
  );
}

type KeyProps = { begun: SecondStep; onConfirmed: (codes: readonly string[]) => void; onClose: () => void };

function KeyDialog({ begun: { secret, uri }, onConfirmed, onClose }: KeyProps) {
  const form = useStaffForm(SecondStepCode, {
    values: { code: '' },
    fields: { code: { ...codeField, hint: words.codeHint, inputMode: 'numeric', isFirst: true } },
    send: (body) => renewing(call(api.confirmSecondStep, { body })),
    done: { title: words.switchedOn },
    failedTitle: words.failedOn,
    onSaved: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  return (
    <FormDialog
      title={words.title}
      description={words.scan}
      saveLabel={words.confirm}
      form={form}
      onClose={onClose}
    >
      <div className="min-h-56 self-center">
        <QrCode text={uri} label={words.picture} />
      </div>
      <p className="flex items-center gap-2 text-14">
        {words.key}
        <span translate="no" className="font-mono wrap-anywhere">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </span>
        <CopyButton text={secret} what={words.key} />
      </p>
      {form.fields}
    </FormDialog>
  );
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { email, phone } = useUser();
  return (
    // Nothing but the button closes it: they cannot be shown again.
    <Dialog
      size="paper"
      title={words.codesTitle}
      description={words.codesText}
      closeOnBackdrop={false}
      onClose={() => undefined}
    >
      <p className="flex items-center justify-between gap-3 text-14 text-ink-soft">
        {[brand().name, email ?? phone].join(' · ')}
        <span className="flex gap-1 print:hidden">
          <CopyButton text={codes.join('\n')} what={words.codesTitle} />
          <Button look="quiet" size="small" icon={<PrinterIcon />} onClick={() => window.print()}>
            {words.print}
          </Button>
        </span>
      </p>
      <ul
        aria-label={words.codesTitle}
        translate="no"
        className="mt-3 grid grid-cols-2 gap-2 font-mono text-16"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onKept}>{words.kept}</Button>
      </DialogActions>
    </Dialog>
  );
}

function SwitchOffDialog({ onClose }: { onClose: () => void }) {
  const { refresh } = useSession();
  const form = useStaffForm(SecondStepRemoval, {
    values: { password: '', code: '' },
    fields: {
      password: passwordField,
      code: { ...codeField, hint: words.anyCodeHint, autoCapitalize: 'none', spellCheck: false },
    },
    send: (body) => renewing(call(api.removeSecondStep, { body })),
    done: words.switchedOff,
    failedTitle: words.failedOff,
    onSaved: () => {
      onClose();
      void refresh();
    },
  });
  return (
    <FormDialog
      title={words.switchOffTitle}
      description={words.switchOffText}
      saveLabel={words.switchOff}
      look="danger"
      form={form}
      onClose={onClose}
    />
  );
}
