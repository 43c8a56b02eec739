import { describe, expect, it } from 'vitest';
import type { StaffComplaint } from '#contract/collection.ts';
import { applicant } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { panelPage } from './panel-page.ts';
import { button, dialogOf, expectToast, field } from './screen.ts';
import { answer, expectPanelFits, expectReadable } from './staff.ts';
import { alter } from './sweep.ts';

const { server, visit } = await panelPage('complaints');

const name = 'Maria Clara Santos';

describe('complaints', () => {
  it('are acknowledged, answered and resolved; the oldest clock is first', async () => {
    const { borrower, loan } = await applicant(server);
    const complain = (category: 'amount' | 'service', message: string) =>
      borrower.complain({ category, message, ...(category === 'amount' && { loanId: loan.id }) });
    await complain('amount', 'The late charge is wrong.');
    await complain('service', 'Nobody answers the phone.');
    const page = await visit({ path: 'members' });
    // The server's clock runs in real time: what is late is only data.
    await alter<StaffComplaint[]>(page, '**/api/admin/complaints?*', (all) =>
      all.map((one) => ({ ...one, isOverdue: one.status === 'open' && one.category === 'amount' })),
    );
    await page.getByRole('link', { name: 'Complaints' }).click();
    const cards = page.getByRole('article');
    await cards.first().waitFor();
    const first = page.getByRole('article', { name: `Amount · ${name}` });
    expect(await cards.allTextContents()).toEqual([
      expect.stringContaining('The late charge is wrong.'),
      expect.stringContaining('Nobody answers the phone.'),
    ]);
    await first.getByText(/^Overdue: Acknowledge by /).waitFor();
    await first.getByRole('link', { name: loan.loanNumber }).waitFor();
    await expectPanelFits(page);
    await expectReadable(page);

    await button(first, 'Acknowledge').click();
    await expectToast(page, 'Success', 'Acknowledged. The borrower is notified.');
    await first.getByText(/^Resolve by /).waitFor();
    await button(first, 'Reply').click();
    const reply = dialogOf(page, `Reply to ${name}`);
    await button(reply, 'Send').click();
    await reply.getByText('Please say what happened', { exact: false }).waitFor();
    await field(reply, 'Message').fill('You are right, we waive it.');
    await expectReadable(page);
    await button(reply, 'Send').click();
    await expectToast(page, 'Success', 'Reply sent.');
    await first.getByText('You are right, we waive it.').waitFor();
    await button(first, 'Resolve').click();
    await answer(page, 'Resolve');
    await expectToast(page, 'Success', 'Resolved. The borrower is notified.');
    await soon(() => cards.count()).toBe(1);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Include resolved');
    await soon(() => cards.count()).toBe(2);
    const body = await borrower.listOwnComplaints();
    const own = body.find(({ category }) => category === 'amount');
    expect(own).toMatchObject({ status: 'resolved', messages: [{ isStaff: false }, { isStaff: true }] });
  });
});
