import { panel } from '#contract/wording/panel.ts';
import { CopyButton } from '#web/panel/lib/copy-button.tsx';
import { QuietButton } from './panel-edit.tsx';

type Props = {
  /** What is hidden and copied: 'OTP code'. */
  what: string;
  /** Read out after 'Show': ' the OTP code'. */
  of: string;
  /** The secret, while it is shown. */
  shown: string | undefined;
  busy?: boolean;
  onShow: () => void;
  onHide: () => void;
};

/** Shows a hidden fact and hides it again; while it is shown it can be copied. */
export function SecretButtons({ what, of, shown, busy, onShow, onHide }: Props) {
  const words = panel.list;
  return (
    <>
      {shown !== undefined && <CopyButton text={shown} what={what} />}
      <QuietButton of={of} busy={busy} onClick={shown === undefined ? onShow : onHide}>
        {shown === undefined ? words.show : words.hide}
      </QuietButton>
    </>
  );
}
