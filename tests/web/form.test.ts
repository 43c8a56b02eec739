import { createElement, useEffect } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Registration } from '#contract/account.ts';
import { LoanApplication } from '#contract/loan.ts';
import { ProfileForm } from '#contract/profile.ts';
import { WithdrawalRequest } from '#contract/withdrawal.ts';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { CallError, NetworkError } from '#web/lib/call-error.ts';
import { createFormStore, type FieldElement, type SchemaForm, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount, typedNumber } from '#web/lib/format.ts';
import { LanguageProvider } from '#web/lib/language.tsx';
import { standInBrowser } from './browser-stand-in.ts';
import { runHook, speak } from './hook.ts';

standInBrowser();
vi.stubGlobal('Node', Object.assign(class {}, { DOCUMENT_POSITION_FOLLOWING: 4 }));

/** The inputs of a page in its order, and the one that has the focus. */
let page: FieldElement[] = [];
let focused: FieldElement | undefined;
let selected: FieldElement | undefined;
beforeEach(() => {
  page = [];
  focused = undefined;
  selected = undefined;
});

/** An input at the end of the page. */
function input(typed = ''): FieldElement {
  const element = {
    value: typed,
    get isConnected() {
      return page.includes(element);
    },
    compareDocumentPosition: (other: FieldElement) =>
      page.indexOf(other) > page.indexOf(element) ? Node.DOCUMENT_POSITION_FOLLOWING : 2,
    focus: () => {
      focused = element;
    },
    select: () => {
      selected = element;
    },
  } as unknown as FieldElement;
  page.push(element);
  return element;
}

const emptyRegistration = { phone: '', password: '', fullName: '', email: '' };

/** A registration form with its four inputs, the name above the phone as on the screen. */
function registration(defaults = emptyRegistration) {
  const form = createFormStore<typeof emptyRegistration>(Registration, defaults);
  const inputs = { fullName: input(), phone: input(), email: input(), password: input() };
  for (const name of ['phone', 'password', 'fullName', 'email'] as const)
    form.attach(name, inputs[name], String);
  const type = (name: keyof typeof inputs, text: string) => {
    inputs[name].value = text;
    form.changed(name, inputs[name]);
  };
  return { form, inputs, type };
}

describe('validating', () => {
  it('an untouched form shows nothing; a submit marks every wrong field', () => {
    const { form, type } = registration();
    type('phone', '0917');
    expect(form.errors()).toEqual({});
    expect(form.submit()).toBe(false);
    expect(form.errors()).toEqual({
      fullName: 'fullNameRequired',
      phone: 'phoneRequired',
      password: 'passwordTooShort',
    });
  });

  it.each([
    {
      schema: LoanApplication,
      typed: { amount: '149999.99', purpose: 'ab', termMonths: 5 },
      keys: { amount: 'minimumLoan', purpose: 'purposeRequired', termMonths: 'minimumTerm' },
    },
    {
      schema: LoanApplication,
      typed: { amount: '2000000.01', purpose: 'A store', termMonths: 49 },
      keys: { amount: 'maximumLoan', termMonths: 'maximumTerm' },
    },
    {
      schema: WithdrawalRequest,
      typed: { amount: '999.99', bankName: ' ', bankAccountNumber: '123456789', otp: '12345' },
      keys: {
        amount: 'minimumWithdrawal',
        bankName: 'bankNameRequired',
        bankAccountNumber: 'bankAccountNumberRequired',
        otp: 'otpSixDigits',
      },
    },
    {
      schema: ProfileForm,
      typed: {
        fullName: 'A',
        email: 'no mail',
        address: 'too short',
        countryOfWork: 'P',
        monthlySalary: '-1',
        referenceName: 'B',
        referencePhone: '091712345',
        bankName: '',
        bankAccountNumber: '123456789',
      },
      keys: {
        fullName: 'fullNameRequired',
        email: 'emailInvalid',
        address: 'addressRequired',
        countryOfWork: 'countryOfWorkRequired',
        monthlySalary: 'monthlySalaryRequired',
        referenceName: 'referenceNameRequired',
        referencePhone: 'referencePhoneRequired',
        bankName: 'bankNameRequired',
        bankAccountNumber: 'bankAccountNumberRequired',
      },
    },
  ])('by the schema’s own rules: $keys', ({ schema, typed, keys }) => {
    const form = createFormStore<object>(schema, typed);
    expect(form.submit()).toBe(false);
    expect(form.errors()).toEqual(keys);
    for (const key of Object.values(keys)) expect(Object.keys(en.validation)).toContain(key);
  });

  it('after a submit each keystroke validates its own field and no other', () => {
    const { form, type } = registration();
    form.submit();
    type('phone', '09171234567');
    expect(form.errors().phone).toBeUndefined();
    expect(form.errors().password).toBe('passwordTooShort');
    type('phone', '0917123');
    expect(form.errors().phone).toBe('phoneRequired');
  });

  it('a server’s error goes away once its field is right, also before the first submit', () => {
    const { form, type } = registration();
    form.setError('phone', 'phoneRequired');
    type('phone', '0917123');
    expect(form.errors().phone).toBe('phoneRequired');
    type('phone', '09171234567');
    expect(form.errors().phone).toBeUndefined();
  });

  it('a valid form submits, with an empty optional field', () => {
    const { form, type } = registration();
    type('fullName', 'Maria Santos');
    type('phone', '09171234567');
    type('password', 'secret');
    expect(form.submit()).toBe(true);
    expect(form.errors()).toEqual({});
    expect(focused).toBeUndefined();
  });

  it('listeners hear only of what changed', () => {
    const { form, type } = registration();
    const values = vi.fn();
    const errors = vi.fn();
    form.onValues(values);
    const stop = form.onErrors(errors);
    type('phone', '0917');
    type('phone', '0917');
    expect(values).toHaveBeenCalledTimes(1);
    expect(errors).not.toHaveBeenCalled();
    form.submit();
    expect(errors).toHaveBeenCalledTimes(1);
    stop();
    form.submit();
    expect(errors).toHaveBeenCalledTimes(1);
  });
});

describe('the focus', () => {
  it('goes to the first wrong field in page order, not in render order', () => {
    const { form, inputs, type } = registration();
    form.submit();
    expect(focused).toBe(inputs.fullName);
    type('fullName', 'Maria Santos');
    form.submit();
    expect(focused).toBe(inputs.phone);
  });

  it('skips a field that is no longer on the page', () => {
    const { form, inputs } = registration();
    page = page.filter((element) => element !== inputs.fullName);
    expect(form.submit()).toBe(false);
    expect(focused).toBe(inputs.phone);
  });

  it('selects a field’s content when asked to', () => {
    const { form, inputs } = registration();
    form.setFocus('phone');
    expect([focused, selected]).toEqual([inputs.phone, undefined]);
    form.setFocus('phone', { shouldSelect: true });
    expect(selected).toBe(inputs.phone);
  });
});

describe('what was typed', () => {
  it('survives a refused submit, a rerender and a field that returns', () => {
    const { form, inputs, type } = registration();
    type('phone', '0917');
    form.submit();
    // Drawn again: the same element keeps its text, whatever the store has.
    inputs.phone.value = '09171';
    form.attach('phone', inputs.phone, String);
    expect(inputs.phone.value).toBe('09171');
    form.changed('phone', inputs.phone);
    // A new element for the field, as after switching between two forms.
    const anew = input();
    form.attach('phone', anew, String);
    expect(anew.value).toBe('09171');
    expect(form.getValues()).toEqual({ ...emptyRegistration, phone: '09171' });
  });

  it('is read at submit too, since some phones fill fields in without an event', () => {
    const { form, inputs } = registration();
    inputs.fullName.value = 'Maria Santos';
    inputs.phone.value = '09171234567';
    inputs.password.value = 'secret';
    expect(form.submit()).toBe(true);
    expect(form.getValues()).toMatchObject({ fullName: 'Maria Santos', password: 'secret' });
  });

  it('gives way to a reset, errors and all', () => {
    const { form, inputs, type } = registration();
    type('phone', '0917');
    form.submit();
    form.reset();
    expect(form.getValues()).toEqual(emptyRegistration);
    expect([inputs.phone.value, form.errors()]).toEqual(['', {}]);
    type('password', 'x');
    expect(form.errors()).toEqual({});
  });

  it.each([
    { before: '123', typed: '1234|', shown: '1,234|', kept: '1234' },
    { before: '1,234', typed: '1,2934|', shown: '12,934|', kept: '12934' },
    { before: '1,234', typed: '1|234', shown: '1|,234', kept: '1234' },
    { before: '1,234', typed: '1|234', shown: '1,|234', kept: '1234', inputType: 'deleteContentForward' },
    { before: '1,234', typed: '|,234', shown: '|234', kept: '234' },
    { before: '1,000.5', typed: '1,000.5x|', shown: '1,000.5x|', kept: '1000.5x' },
    { before: '', typed: '₱2,000,000.50|', shown: '2,000,000.50|', kept: '2000000.50' },
  ])('an amount has its commas: $typed is shown as $shown', ({ before, typed, shown, kept, inputType }) => {
    const form = createFormStore(LoanApplication, { amount: before, purpose: '', termMonths: 12 });
    const amount = Object.assign(input(), {
      selectionEnd: 0,
      setSelectionRange: (start: number) => Object.assign(amount, { selectionEnd: start }),
    });
    form.attach('amount', amount, typedAmount);
    const caret = typed.indexOf('|');
    Object.assign(amount, { value: typed.replace('|', ''), selectionEnd: caret });
    form.changed('amount', amount, inputType ? Object.assign(new Event('input'), { inputType }) : undefined);
    const { value, selectionEnd } = amount;
    expect(`${value.slice(0, selectionEnd)}|${value.slice(selectionEnd)}`).toBe(shown);
    expect(form.getValues().amount).toBe(kept);
    form.setValue('amount', '1234567.8');
    expect(amount.value).toBe('1,234,567.8');
  });

  it('a NaN is shown as empty', () => {
    const form = createFormStore(LoanApplication, { amount: '150000', purpose: '', termMonths: Number.NaN });
    const term = input('typed before');
    form.attach('termMonths', term, Number);
    expect(term.value).toBe('');
    form.setValue('termMonths', 24);
    expect(term.value).toBe('24');
    expect(form.getValues().termMonths).toBe(24);
  });
});

/** The form of a component, with its inputs attached; `language` as stored in this browser. */
async function componentForm(language: 'en' | 'fil' = 'en') {
  await speak(language);
  const inputs = { fullName: input(), phone: input(), password: input() };
  const names = ['fullName', 'phone', 'password'] as const;
  const running = runHook(
    () => {
      const form = useSchemaForm(Registration, { defaultValues: emptyRegistration });
      useEffect(() => {
        for (const name of names) form.field(name).ref(inputs[name]);
      });
      return form;
    },
    (children) => createElement(LanguageProvider, null, children),
  );
  const form = () => running.now();
  const type = (name: (typeof names)[number], text: string) => {
    inputs[name].value = text;
    form()
      .field(name)
      .onChange({ currentTarget: inputs[name] } as never);
  };
  return { form, inputs, type };
}

const shown = (form: SchemaForm<typeof emptyRegistration>) =>
  Object.fromEntries(['fullName', 'phone', 'password'].map((name) => [name, form.errorOf(name as 'phone')]));

const refusal = (errors?: Record<string, string>) =>
  new CallError(400, 'm', { message: 'm', code: 'validation_failed', errors });

describe('useSchemaForm', () => {
  it.each([
    { language: 'en', words: en },
    { language: 'fil', words: fil },
  ] as const)('says what is wrong in $language', async ({ language, words }) => {
    const { form, inputs } = await componentForm(language);
    const onValid = vi.fn();
    const preventDefault = vi.fn();
    await form().handleSubmit(onValid)({ preventDefault } as never);
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(onValid).not.toHaveBeenCalled();
    await expect
      .poll(() => shown(form()))
      .toEqual({
        fullName: words.validation.fullNameRequired,
        phone: words.validation.phoneRequired,
        password: words.validation.passwordTooShort,
      });
    expect(form().field('phone')).toMatchObject({ name: 'phone', error: words.validation.phoneRequired });
    expect(focused).toBe(inputs.fullName);
  });

  it('submits what was typed, as typed, and keeps it', async () => {
    const { form, type } = await componentForm();
    type('fullName', ' Maria Santos ');
    type('phone', '0917 123 4567');
    type('password', ' secret ');
    const typed = { fullName: ' Maria Santos ', phone: '0917 123 4567', password: ' secret ', email: '' };
    const failing = form().handleSubmit(async (values) => {
      expect(values).toEqual(typed);
      throw new NetworkError(undefined);
    });
    await expect(failing()).rejects.toThrow(NetworkError);
    expect(form().getValues()).toEqual(typed);
  });

  it.each([
    { language: 'en', words: en },
    { language: 'fil', words: fil },
  ] as const)(
    'puts the server’s field errors beside their fields, in $language',
    async ({ language, words }) => {
      const { form, inputs, type } = await componentForm(language);
      type('phone', '09171234567');
      const told = refusal({ phone: en.validation.phoneRequired, fullName: 'A sentence of its own' });
      expect(form().showServerErrors(told)).toBe(true);
      await expect
        .poll(() => shown(form()))
        .toEqual({
          fullName: 'A sentence of its own',
          phone: words.validation.phoneRequired,
          password: undefined,
        });
      expect(focused).toBe(inputs.phone);
      expect(form().getValues().phone).toBe('09171234567');
    },
  );

  it.each([
    { name: 'a failure of no field', error: refusal() },
    { name: 'a field of another form', error: refusal({ otp: 'm', constructor: 'm' }) },
    { name: 'no connection', error: new NetworkError(undefined) },
    { name: 'nothing of ours', error: new Error('m') },
  ])('leaves $name to the server', async ({ error }) => {
    const { form } = await componentForm();
    expect(form().showServerErrors(error)).toBe(false);
    expect(shown(form())).toEqual({ fullName: undefined, phone: undefined, password: undefined });
    expect(focused).toBeUndefined();
  });

  it('reads numbers and texts as configured', async () => {
    const running = runHook(() =>
      useSchemaForm(LoanApplication, { defaultValues: { amount: '', purpose: '', termMonths: 12 } }),
    );
    const form = running.now();
    const fields = { amount: input(), term: input() };
    const amount = form.field('amount', (typed) => typed.replaceAll(',', ''));
    const term = form.field('termMonths', typedNumber);
    amount.ref(fields.amount);
    term.ref(fields.term);
    expect(fields.term.value).toBe('12');
    fields.amount.value = '1,250,000';
    fields.term.value = '24';
    amount.onChange({ currentTarget: fields.amount } as never);
    term.onChange({ currentTarget: fields.term } as never);
    expect(form.getValues()).toEqual({ amount: '1250000', purpose: '', termMonths: 24 });
    fields.term.value = ' ';
    term.onChange({ currentTarget: fields.term } as never);
    expect(form.getValues().termMonths).toBeNaN();
    expect(form.submit()).toBe(false);
    expect(form.errors()).toEqual({ purpose: 'purposeRequired', termMonths: 'termWholeMonths' });
  });
});
