import { useMemo } from 'react';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { manilaDate, manilaTime } from '#domain/calendar.ts';
import { formatsOf } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ClockIcon } from '#web/ui/icons.tsx';

const words = panel.codeRequest;
const { date } = formatsOf('en');

/** The choice that narrows the list to those who wait for a one-time code, beside the statuses. */
export const codeRequestChoice = { value: 'waiting', label: words.filter };

type Waiting = Partial<Pick<Member, 'codeRequestedAt'>>;

export const waitsForCode = ({ codeRequestedAt }: Waiting): boolean => Boolean(codeRequestedAt);

/** That a member waits for a code and since when: the time of today, else the day. Nothing of who does not. */
export function CodeRequestMark({ member: { codeRequestedAt } }: { member: Waiting }) {
  if (!codeRequestedAt) return null;
  const moment = new Date(codeRequestedAt);
  const isToday = manilaDate(moment) === manilaDate(new Date());
  return (
    <span className="font-semibold text-warn">
      {words.since(isToday ? manilaTime(moment) : date(codeRequestedAt))}
    </span>
  );
}

type NoticeProps = { members: readonly Member[] | undefined; onShow: () => void };

/** Over the list: how many wait for a code, and the way to them. */
export function CodeRequestNotice({ members, onShow }: NoticeProps) {
  const count = useMemo(() => members?.filter(waitsForCode).length ?? 0, [members]);
  if (count === 0) return null;
  return (
    <Banner tone="warn" icon={<ClockIcon />} className="mb-3 items-center p-2.5!">
      <span className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-semibold">{words.notice(count)}</span>
        <Button look="secondary" size="small" onClick={onShow}>
          {words.show}
        </Button>
      </span>
    </Banner>
  );
}
