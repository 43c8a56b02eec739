import { describe, expect, it } from 'vitest';
import { applicant } from '#tests/api/lending.ts';
import { hasFocus, tabTo } from '#tests/setup/browser-checks.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import {
  breakDown,
  button,
  dialogOf,
  expectToast,
  field,
  loseAnswers,
  lostAnswer,
  outOfReach,
} from './screen.ts';
import { press, state, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const quiet = await server.registerBorrower();
const { borrower: angry } = await applicant(server);
const first = await angry.complain({ category: 'collection', message: 'Ilang beses kayong tumawag kagabi.' });
await server.main.answerComplaint(first.id, { message: 'We are sorry. It does not happen again.' });

const path = '/help';

describe('help looks right', () => {
  sweep(browser, [
    state('without complaints', path, ({ help }) => help.none, { who: quiet }),
    state('with a complaint and an answer', path, () => /It does not happen again/, { who: angry }),
    state('a new complaint, with a mistake', path, ({ validation }) => validation.complaintMessage, {
      who: angry,
      steps: async (page, { help }) => {
        await press(page, help.newComplaint);
        await press(page, help.send);
      },
    }),
    state('complaints that cannot be read', path, ({ help }) => help.failed, {
      who: quiet,
      before: (page) => breakDown(page, '**/api/complaints'),
      expects: [outOfReach],
    }),
  ]);
});

describe('help', () => {
  it('says that it looks for the answer to a complaint that was lost', async () => {
    const page = await browser.open(path, { token: quiet.token, expects: [lostAnswer] });
    const { mend } = await loseAnswers(page, '**/api/complaints');
    await button(page, 'New complaint').click();
    const dialog = dialogOf(page, 'New complaint');
    await field(dialog, 'What happened?').fill('Nobody has called me back.');
    await button(dialog, 'Send').click();
    await dialog.getByText('We are checking whether it went through', { exact: false }).waitFor();
    mend();
    await dialog.waitFor({ state: 'detached' });
    expect(await quiet.listOwnComplaints()).toHaveLength(1);
  });

  it('takes a complaint by the keyboard, and more about it', async () => {
    const { borrower, loan } = await applicant(server);
    const page = await browser.open('/loan-app', borrower);
    await button(page, 'Open menu').click();
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Call / }).waitFor();
    await page.getByText('No complaints').waitFor();
    await tabTo(page, button(page, 'New complaint'));
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page, 'New complaint');
    await dialog
      .getByRole('combobox', { name: 'What is it about?' })
      .selectOption('An amount that is not right');
    await dialog.getByRole('combobox', { name: 'Loan (optional)' }).selectOption({ index: 1 });
    await field(dialog, 'What happened?').fill('I paid twice.');
    await tabTo(page, button(dialog, 'Send'));
    await page.keyboard.press('Enter');
    await expectToast(page, 'We have your complaint');
    expect(await hasFocus(button(page, 'New complaint'))).toBe(true);
    const card = page.getByRole('listitem').filter({ hasText: loan.loanNumber });
    await card.getByText(/^We get back to you by /).waitFor();
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    await button(page, 'Refresh').waitFor();
    await button(card, 'Write more').click();
    const more = dialogOf(page, 'Write more');
    await field(more, 'Your message').fill('Here is the receipt number.');
    await button(more, 'Send').click();
    await card.getByText('Here is the receipt number.').waitFor();
    const body = await borrower.listOwnComplaints();
    expect(body).toMatchObject([{ category: 'amount', loanId: loan.id, messages: [{}, {}] }]);
  });
});
