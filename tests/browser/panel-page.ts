import type { Page } from 'playwright-core';
import type { VisitOptions } from '#tests/setup/browser.ts';
import type { TestServerOptions } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { breakDown, button, expectToast, outOfReach } from './screen.ts';
import { openPanel } from './staff.ts';

/** Starts what the tests of one page of the panel need, for the top of their file. */
export async function panelPage(path: string, options: TestServerOptions = {}) {
  const { server, browser } = await listeningServer(options);

  /** Opens the page, or the one that `options` names, as the main admin unless there is a token of somebody else. */
  const visit = async (options: VisitOptions & { path?: string } = {}): Promise<Page> =>
    openPanel(browser, options.path ?? path, { token: await server.signInMainAdmin(), ...options });

  /** Opens the page while an address is out of reach, and waits until that is told. Answers how to repair it. */
  async function visitBroken(address: string, told: string) {
    const token = await server.signInMainAdmin();
    const page = await browser.visit({ screen: 'desktop', token, expects: [outOfReach] });
    const repair = await breakDown(page, address);
    await page.goto(`/management/${path}`);
    await expectToast(page, 'Error', told);
    return { page, repair };
  }

  /** Expects a failed reading to say so. Read again, it shows the text. */
  async function expectReadAgain(address: string, told: string, text: string): Promise<void> {
    const { page, repair } = await visitBroken(address, told);
    await repair();
    await button(page, 'Retry').click();
    await page.getByText(text, { exact: true }).first().waitFor();
  }

  return { server, browser, visit, visitBroken, expectReadAgain };
}
