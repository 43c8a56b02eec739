import { beforeEach, describe, expect, it } from 'vitest';
import { core } from '#contract/wording/en-sign-in.ts';
import { CallError, NetworkError } from '#web/lib/call-error.ts';
import { UnsettledError } from '#web/lib/money-call.ts';
import { toast, toastStore } from '#web/lib/toast-store.ts';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { standInBrowser } from './browser-stand-in.ts';
import { runHook } from './hook.ts';

standInBrowser();
beforeEach(() => {
  toast({ title: 'of an earlier test' });
});

/** Does a piece of work and answers what came of it, and the toast that told of it. */
async function acting(work: Promise<string>) {
  const act = runHook(useStaffAction).now();
  const result = await act(work, {
    done: (answer) => ({ title: 'Success', description: answer }),
    failedTitle: 'Delete Failed',
    fallback: 'Failed to delete admin',
  });
  const [shown] = toastStore.read();
  return { result, told: shown && [shown.tone, shown.title, shown.description] };
}

describe('one staff action', () => {
  it('a success shows its title and what it is about', async () => {
    const { result, told } = await acting(Promise.resolve('Ana is active.'));
    expect(result).toEqual({ ok: true, answer: 'Ana is active.' });
    expect(told).toEqual([undefined, 'Success', 'Ana is active.']);
  });

  it.each([
    {
      why: 'the server’s message',
      error: new CallError(409, 'Moved meanwhile', { message: 'Moved meanwhile', code: 'balance_changed' }),
      says: 'Moved meanwhile',
    },
    {
      why: 'the fallback where it gives none',
      error: new CallError(409, '', {}),
      says: 'Failed to delete admin',
    },
    { why: 'the connection', error: new NetworkError(undefined), says: core.shell.noConnection },
    {
      why: 'the fallback for a mistake of the app',
      error: new TypeError('x'),
      says: 'Failed to delete admin',
    },
  ])('a failure shows its title and below it $why', async ({ error, says }) => {
    const { result, told } = await acting(Promise.reject(error));
    expect(result).toEqual({ ok: false, error });
    expect(told).toEqual(['bad', 'Delete Failed', says]);
  });

  it('an unknown outcome is neither a success nor a failure', async () => {
    const { told } = await acting(Promise.reject(new UnsettledError(undefined)));
    expect(told).toEqual(['bad', 'We do not know whether it went through', core.shell.unsettled]);
  });

  it('a cancelled action says nothing', async () => {
    const error = new DOMException('given up', 'AbortError');
    const { result, told } = await acting(Promise.reject(error));
    expect(result).toEqual({ ok: false, error });
    expect(told?.[1]).toBe('of an earlier test');
  });
});
