import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldText } from '#domain/text.ts';
import { insertRowLines, readRowLines, readTables } from '#server/books/backup-rows.ts';
import { readLoanPage } from '#server/store/loan-store.ts';
import { migrateDatabase } from '#server/store/migrate.ts';
import { readPaymentPage } from '#server/store/payment-store.ts';
import { loans } from '#server/store/schema.ts';
import { readWithdrawalPage } from '#server/store/withdrawal-store.ts';
import { pastTriggers } from '#tests/setup/test-database.ts';
import { bothEngines, type Opened } from './both-engines.ts';

const texts = [
  'Pagpapagawa ng bahay',
  'Jose\u0301 Pen\u0303a, Parañaque',
  'D\u2019Angelo, D`Angelo, D\u02BCAngelo, D\u00B4Angelo',
  'two  spaces,\ta tab,\na line,\r\nanother,\u00A0and\u2003more',
  'Zero\u200Bwidth, soft\u00ADhyphen, \u202Eturned\u202C',
  'ﬁne １２３ ½ Å ß Ÿ Ñ ŋ',
  'ПРИВЕТ Ёж, ΑΘΉΝΑ',
  `a 'quote', a \\ backslash, x60 and \\x60, 100%_`,
  '',
];
const older = '0028_verified_at';
const migrations = 'server/store/migrations';

describe.each(bothEngines)('texts as searched on the $name engine', ({ open }) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
    await migrateDatabase(opened.database, migrations, older);
    await pastTriggers(opened.database, async (tx) => {
      for (const [index, text] of texts.entries())
        await tx.execute(sql`
          insert into loans (account_id, loan_number, old_number, amount_centavos, term_months, monthly_payment_centavos,
                             purpose, created_at, updated_at)
          values (1001, ${`LN-${index}`}, ${text || null}, 100, 12, 100, ${text}, now(), now())`);
    });
    await migrateDatabase(opened.database, migrations);
  });
  afterAll(() => opened.close());

  const stored = () =>
    opened.database.read((reader) =>
      reader
        .select({ purpose: loans.purposeFolded, oldNumber: loans.oldNumberFolded })
        .from(loans)
        .orderBy(loans.id),
    );
  const expected = texts.map((text) => ({
    purpose: foldText(text),
    oldNumber: text ? foldText(text) : null,
  }));

  it('are folded as the browser folds them, those of an earlier version too', async () => {
    expect(await stored()).toEqual(expected);
  });

  it('are copied without what the database writes, and folded again', async () => {
    await pastTriggers(opened.database, async (tx) => {
      const table = (await readTables(tx)).find(({ name }) => name === 'loans');
      if (!table) throw new Error('there are no loans');
      const lines: string[] = [];
      for await (const some of readRowLines(tx, table)) lines.push(...some);
      await tx.delete(loans);
      await insertRowLines(tx, table, lines);
    });
    expect(await stored()).toEqual(expected);
  });

  it('are not folded again by each search: a hundred thousand with accents took seconds', async () => {
    const page = { search: 'pena', limit: 1 };
    const sent = await opened.database.read(async (reader) =>
      [readLoanPage, readWithdrawalPage, readPaymentPage].map((read) => read(reader, page).toSQL().sql),
    );
    expect(sent.filter((text) => /normalize|regexp_replace/.test(text))).toEqual([]);
  });
});
