import type { StaffLoan } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { BalanceEditor } from './balance-editor.tsx';
import { CodeEditor } from './code-editor.tsx';
import { CodeRequestMark } from './member-text.tsx';
import type { MoneyHolder } from './money-holder.ts';
import { PanelEdit } from './panel-edit.tsx';
import { ScoreEditor } from './score-editor.tsx';
import { SecretButtons } from './secret-buttons.tsx';
import { useSecrets } from './use-secrets.ts';

const words = panel.memberPanel;
const hiddenCode = '••••••';
const { date } = formatsOf('en');

/**
 * A member's wallet balance, credit score and one-time code, each changed in its own place: beside the members and
 * beside the loans, where a disbursement is for that loan. Give it the member's id as its `key`.
 */
export function MemberMoney({ member, loan }: { member: MoneyHolder; loan?: StaffLoan }) {
  return (
    <>
      <PanelEdit
        label={words.balance}
        value={
          <>
            {showPeso(member.balance)}
            {member.creditWithoutLoanAt && (
              <span className="block text-12 text-warn">
                {panel.credit.noteOn(date(member.creditWithoutLoanAt))}
              </span>
            )}
          </>
        }
        action={words.adjust}
        actionOf={words.adjustHidden}
      >
        {(close) => <BalanceEditor member={member} loan={loan} onClose={close} />}
      </PanelEdit>
      <PanelEdit
        label={words.score}
        value={<ScoreValue member={member} />}
        action={panel.members.edit}
        actionOf={words.editHidden}
      >
        {(close) => <ScoreEditor member={member} onClose={close} />}
      </PanelEdit>
      <CodeRow member={member} />
    </>
  );
}

/** The score with its trend, to two decimals (§credit-score). */
function ScoreValue({ member: { creditScore, creditTrend } }: { member: MoneyHolder }) {
  const trend = Number(creditTrend ?? 0);
  return (
    <>
      {creditScore}
      {trend !== 0 && (
        <span className={trend > 0 ? 'ml-1.5 text-good' : 'ml-1.5 text-bad'}>
          {trend > 0 ? '+' : ''}
          {creditTrend}%
        </span>
      )}
    </>
  );
}

function CodeRow({ member }: { member: MoneyHolder }) {
  const secrets = useSecrets(member.id);
  const code = member.hasOtpCode ? secrets.shown.otpCode : undefined;
  return (
    <PanelEdit
      label={words.otp}
      value={
        <>
          {member.hasOtpCode ? (
            <CodeValue code={code} expiresAt={member.otpExpiresAt ?? secrets.codeExpiresAt} />
          ) : (
            words.noOtp
          )}
          <span className="block text-12">
            <CodeRequestMark member={member} />
          </span>
        </>
      }
      before={
        member.hasOtpCode && (
          <SecretButtons
            what={words.otp}
            of={words.codeHidden}
            shown={code}
            busy={secrets.busy === 'otpCode'}
            onShow={() => void secrets.reveal('otpCode')}
            onHide={() => secrets.hide('otpCode')}
          />
        )
      }
      action={panel.list.set}
      actionOf={words.codeHidden}
    >
      {(close) => (
        <CodeEditor
          member={member}
          onSaved={(saved, answer) => secrets.show('otpCode', saved, answer)}
          onClose={close}
        />
      )}
    </PanelEdit>
  );
}

const hourMs = 3_600_000;

function CodeValue({ code, expiresAt }: { code: string | undefined; expiresAt: string | null }) {
  const leftMs = expiresAt ? new Date(expiresAt).getTime() - Date.now() : undefined;
  return (
    <>
      {code ?? hiddenCode}
      {leftMs !== undefined && (
        <span className="block text-12 font-normal text-ink-soft">
          {words.hoursLeft(Math.max(0, Math.floor(leftMs / hourMs)))}
        </span>
      )}
    </>
  );
}
