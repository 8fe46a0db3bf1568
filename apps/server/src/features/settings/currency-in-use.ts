import type { Transaction } from '../../platform/database/transaction.ts'

/** Whether there are bookings or money: both carry the currency they were made in. */
export async function isCurrencyInUse(client: Pick<Transaction['client'], 'query'>): Promise<boolean> {
  const found = await client.query(
    'select exists (select from bookings) or exists (select from ledger_entries) as used',
  )
  return found.rows[0]?.used === true
}

/** The same, for a transaction that changes the currency: until it ends nobody makes the first booking in the old one. */
export async function lockUnusedCurrency({ client }: Transaction): Promise<boolean> {
  await client.query(`set local lock_timeout = '5s'`)
  await client.query('lock table bookings, ledger_entries in share mode')
  return isCurrencyInUse(client)
}
