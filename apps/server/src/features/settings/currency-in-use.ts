import type { Transaction } from '../../platform/database/transaction.ts'

/** Whether bookings or ledger entries exist, which store the currency they were made in. */
export async function isCurrencyInUse(client: Pick<Transaction['client'], 'query'>): Promise<boolean> {
  const found = await client.query(
    'select exists (select from bookings) or exists (select from ledger_entries) as used',
  )
  return found.rows[0]?.used === true
}

/**
 * Like `isCurrencyInUse`, for a transaction that changes the currency: until it ends, no first booking in the old one
 * can be made.
 */
export async function lockUnusedCurrency({ client }: Transaction): Promise<boolean> {
  await client.query(`set local lock_timeout = '5s'`)
  await client.query('lock table bookings, ledger_entries in share mode')
  return isCurrencyInUse(client)
}
