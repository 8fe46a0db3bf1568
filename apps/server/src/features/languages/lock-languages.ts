import type { Transaction } from '../../platform/database/transaction.ts'

/** Blocks other language changes until the transaction ends. */
export async function lockLanguages({ client }: Transaction): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('hansom.languages'))`)
}
