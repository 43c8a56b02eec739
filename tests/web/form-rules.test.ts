import { describe, expect, it, vi } from 'vitest';
import { SignIn } from '#contract/account.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { standInBrowser } from './browser-stand-in.ts';
import { runHook } from './hook.ts';

standInBrowser();

const typed = { phone: '0917 123 4567', password: 'a password' };

/** A sign-in form whose rules come when the test says so. */
function formInWait(defaultValues = typed) {
  let arrive: (schema: typeof SignIn) => void = () => undefined;
  let fail: (reason: unknown) => void = () => undefined;
  const rules = new Promise<typeof SignIn>((resolve, reject) => {
    arrive = resolve;
    fail = reject;
  });
  const fetchRules = vi.fn(() => rules);
  const { now } = runHook(() => useSchemaForm(fetchRules, { defaultValues }));
  const onValid = vi.fn();
  return { now, arrive, fail, fetchRules, onValid, submit: () => now().handleSubmit(onValid)() };
}

describe('a form whose rules are fetched', () => {
  it('asks for them at once', async () => {
    const { fetchRules } = formInWait();
    await expect.poll(() => fetchRules).toHaveBeenCalled();
  });

  it('holds a submit until they are there, and then submits once', async () => {
    const { now, arrive, onValid, submit } = formInWait();
    const first = submit();
    await expect.poll(() => now().isWaiting).toBe(true);
    await submit();
    expect(onValid).not.toHaveBeenCalled();
    arrive(SignIn);
    await first;
    expect(onValid).toHaveBeenCalledExactlyOnceWith(typed);
    await expect.poll(() => now().isWaiting).toBe(false);
  });

  it('judges by them', async () => {
    const { now, arrive, onValid, submit } = formInWait({ phone: '0917', password: 'a password' });
    arrive(SignIn);
    await submit();
    expect(onValid).not.toHaveBeenCalled();
    await expect.poll(() => now().errorOf('phone')).toBe('Phone number is required');
  });

  it('leaves validation to the server when they cannot be fetched', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { fail, onValid, submit } = formInWait({ phone: '', password: '' });
    fail(new TypeError('Failed to fetch'));
    await submit();
    expect(onValid).toHaveBeenCalledExactlyOnceWith({ phone: '', password: '' });
    warn.mockRestore();
  });
});
