import { flushSync } from 'react-dom';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CallError } from '#web/lib/call-error.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import type { CurrentFields } from '#web/panel/lib/staff-rows.ts';
import { standInBrowser } from './browser-stand-in.ts';
import { runHook } from './hook.ts';

standInBrowser();

const Form = z.object({ address: z.string(), bankName: z.string(), bankAccountNumber: z.string() });
const opened = { address: '12 Mabini Street', bankName: 'Bank A', bankAccountNumber: '1234567890' };
const read = (present: CurrentFields) => present as Partial<typeof opened>;

/** A form that was opened with the values above. */
function openForm() {
  const hook = runHook(() => {
    const form = useSchemaForm(Form, { defaultValues: opened });
    return { form, conflict: useEditConflict(form, { opened, read }) };
  });
  const type = (name: keyof typeof opened, text: string) => hook.now().form.setValue(name, text);
  const edit = () => hook.now().conflict.editOf(hook.now().form.getValues());
  const take = (error: unknown) => flushSync(() => hook.now().conflict.takeCurrent(error));
  return { hook, type, edit, take };
}

function changed(present: Record<string, string>): CallError {
  const errors = Object.fromEntries(Object.keys(present).map((name) => [name, 'Meanwhile changed']));
  return new CallError(409, 'm', { message: 'm', code: 'edited_meanwhile', errors, present });
}

describe('a form that two people may have open', () => {
  it('sends what was changed, with what it was when the form was opened', () => {
    const { type, edit } = openForm();
    expect(edit()).toBe(undefined);
    type('address', '14 Luna Street');
    expect(edit()).toEqual({ address: '14 Luna Street', expected: opened });
    type('address', opened.address);
    expect(edit()).toBe(undefined);
  });

  it('keeps what was typed, and starts from the present values', () => {
    const { hook, type, edit, take } = openForm();
    type('bankAccountNumber', '5555555555');
    expect(take(changed({ bankName: 'Bank B', bankAccountNumber: '9876543210' }))).toBe(true);
    expect(hook.now().form.getValues()).toEqual({
      address: opened.address,
      bankName: 'Bank B',
      bankAccountNumber: '5555555555',
    });
    expect(edit()).toEqual({
      bankAccountNumber: '5555555555',
      expected: { ...opened, bankName: 'Bank B', bankAccountNumber: '9876543210' },
    });
    expect(hook.now().conflict.note('bankName')).toBeTruthy();
    expect(hook.now().conflict.note('address')).toBe(undefined);
    expect(hook.now().conflict.banner).toBeTruthy();
  });

  it('has nothing left to save once the present values are taken', () => {
    const { type, edit, take } = openForm();
    type('address', '14 Luna Street');
    take(changed({ address: '99 Del Pilar Street' }));
    type('address', '99 Del Pilar Street');
    expect(edit()).toBe(undefined);
  });

  it.each([
    [
      'of another kind',
      new CallError(409, 'm', { code: 'phone_taken', message: 'm', present: { address: 'x' } }),
    ],
    ['that names no value', new CallError(409, 'm', { code: 'edited_meanwhile', message: 'm' })],
    ['of the network', new TypeError('x')],
  ])('takes nothing from a failure %s', (_, error) => {
    const { hook, type, edit, take } = openForm();
    type('address', '14 Luna Street');
    expect(take(error)).toBe(false);
    expect(edit()).toEqual({ address: '14 Luna Street', expected: opened });
    expect(hook.now().conflict.banner).toBe(false);
  });
});
