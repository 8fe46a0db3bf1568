import type { Transaction } from '../../platform/database/transaction.ts'

/** Holds back every other change of a language until the transaction ends: of two admins one is first. */
export async function lockLanguages({ client }: Transaction): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('hansom.languages'))`)
}
