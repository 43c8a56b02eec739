import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asc } from 'drizzle-orm';
import type { Config } from '#server/config.ts';
import { outboxFile } from '#server/platform/gateways/file-gateway.ts';
import type { MessageSettings } from '#server/platform/gateways/gateways.ts';
import { createSender } from '#server/services/message-sender.ts';
import { messages } from '#server/store/schema.ts';
import type { TestBorrower, TestServer } from './test-server.ts';

export type WrittenMessage = {
  at: string;
  channel: 'sms' | 'email';
  to: string;
  subject?: string;
  text: string;
};

/** The settings of a server with messages, for `testServer`. */
export const messaging = (settings: Partial<MessageSettings> = {}): Pick<Config, 'messaging'> => ({
  messaging: {
    smsPerMinute: 1_000_000,
    smsDailyMax: 500,
    sms: { gateway: 'file' },
    email: { gateway: 'file' },
    ...settings,
  },
});

/** Sends what waits, as the server's own sender does, until nothing is under way. */
export async function sendAll({ deps }: TestServer): Promise<void> {
  const sender = createSender(deps);
  await sender.look();
  await sender.settled();
}

/** Returns what the `file` gateways wrote, the oldest first. */
export function writtenMessages({ dataDir }: Pick<TestServer, 'dataDir'>): WrittenMessage[] {
  let lines: string;
  try {
    lines = readFileSync(path.join(dataDir, outboxFile), 'utf8');
  } catch {
    return [];
  }
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export const rowsOf = ({ database }: Pick<TestServer, 'database'>) =>
  database.read((reader) => reader.select().from(messages).orderBy(asc(messages.id)));

export const codeIn = (message: string | undefined): string => /\b\d{6}\b/.exec(message ?? '')?.[0] ?? '';

/** Has the borrower confirm the phone, and the e-mail address where there is one, with the codes that were sent. */
export async function confirmAll(server: TestServer, borrower: TestBorrower): Promise<void> {
  const contact = await borrower.readContact();
  const newest = async (channel: 'sms' | 'email') => {
    await sendAll(server);
    return codeIn(writtenMessages(server).findLast((one) => one.channel === channel)?.text);
  };
  if (contact.channels.sms && contact.phone) {
    await borrower.sendPhoneCode();
    await borrower.confirmPhone({ code: await newest('sms') });
  }
  if (contact.channels.email && contact.email) {
    await borrower.sendEmailCode();
    await borrower.confirmEmail({ code: await newest('email') });
  }
}
