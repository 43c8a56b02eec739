import type { Tx } from '#server/platform/database/database.ts';
import { noteSeals, sealFields } from './row-seal-store.ts';
import { consents } from './schema.ts';

export type NewConsent = typeof consents.$inferInsert;

/** Rows are only ever added: the table refuses every change. */
export async function insertConsent(tx: Tx, consent: NewConsent): Promise<void> {
  noteSeals(tx, 'consents', await tx.insert(consents).values(consent).returning(sealFields('consents')));
}
