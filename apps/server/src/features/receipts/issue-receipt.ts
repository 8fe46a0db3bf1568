import { receiptSerial } from '@hansom/domain/receipts/tax'
import { cityDay } from '@hansom/domain/time/city-time'
import { eq, sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { receiptCountersTable, receiptsTable } from './table.ts'

export type IssuedReceipt = typeof receiptsTable.$inferSelect

/**
 * Issues the receipt of a booking once and returns it. Numbers of a year have no gaps: its counter stays locked until the
 * transaction ends, and a rollback returns the number. `at` is epoch ms.
 */
export async function issueReceipt(
  tx: Transaction,
  settings: CurrentSettings,
  { booking, at }: { booking: string; at: number },
): Promise<IssuedReceipt> {
  const earlier = await issuedReceipt(tx.db, booking)
  if (earlier) return earlier
  const year = Number(cityDay(at, settings.timezone).slice(0, 4))
  await tx.db.insert(receiptCountersTable).values({ year, last: 0 }).onConflictDoNothing()
  const [counter] = await tx.db
    .select({ last: receiptCountersTable.last })
    .from(receiptCountersTable)
    .where(eq(receiptCountersTable.year, year))
    .for('update')
  // Another transaction may have issued it while this one waited for the counter.
  const meanwhile = await issuedReceipt(tx.db, booking)
  if (meanwhile) return meanwhile
  const number = (counter?.last ?? 0) + 1
  const receipt: IssuedReceipt = {
    booking,
    year,
    number,
    serial: receiptSerial(settings.receipt_prefix, year, number),
    issued_at: at,
    issuer: {
      name: settings.CompanyName || settings.appName,
      address: settings.CompanyAddress,
      tax_number: settings.tax_number,
    },
    tax: { name: settings.tax_name, fare_rate: settings.fare_tax_rate, fee_rate: settings.fee_tax_rate },
  }
  await tx.db.insert(receiptsTable).values(receipt)
  await tx.db
    .update(receiptCountersTable)
    .set({ last: sql`${receiptCountersTable.last} + 1` })
    .where(eq(receiptCountersTable.year, year))
  return receipt
}

/** The receipt of a booking; null when none is issued yet. */
export async function issuedReceipt(queries: Queries, booking: string): Promise<IssuedReceipt | null> {
  const [row] = await queries.select().from(receiptsTable).where(eq(receiptsTable.booking, booking))
  return row ?? null
}
