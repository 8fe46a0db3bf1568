import type { Pool, PoolClient } from 'pg'
import { type Comparison, comparisons } from './comparisons.ts'

/** A difference between stored values and the ledger; amounts in 10^-4 of the currency unit. */
export interface Difference {
  comparison: Comparison
  /** Id of the entry, user, booking or account. */
  subject: string
  kept: number
  replayed: number
}

export interface LedgerCheck {
  entries: number
  /** Sum of all legs; anything but 0 is an error. */
  sum: number
  /** The first differences; `found` is their total number. */
  differences: Difference[]
  found: number
}

/** Number of differences listed per comparison. */
const listedPerComparison = 20

/**
 * Replays the complete ledger and compares every balance with it, in one snapshot, while the server may keep running. A
 * large ledger has no time limit.
 */
export async function checkLedger(pool: Pool): Promise<LedgerCheck> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = 0; set local work_mem = '64MB'`)
    return await compareAll(client)
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

async function compareAll(client: PoolClient): Promise<LedgerCheck> {
  const counted = await client.query<{ entries: number; sum: number }>(
    `select (select count(*) from ledger_records) as entries,
      (select coalesce(sum(amount), 0)::bigint from ledger_lines) as sum`,
  )
  const check: LedgerCheck = { entries: 0, sum: 0, ...counted.rows[0], differences: [], found: 0 }
  for (const [comparison, text] of Object.entries(comparisons) as [Comparison, string][]) {
    const { rows } = await client.query<Difference & { found: number }>(
      `select subject, kept, replayed, count(*) over () as found from (${text}) differences limit ${listedPerComparison}`,
    )
    check.found += rows[0]?.found ?? 0
    for (const { subject, kept, replayed } of rows) {
      check.differences.push({ comparison, subject, kept, replayed })
    }
  }
  return check
}

/** True when the ledger is consistent. */
export function isConsistent({ sum, found }: Pick<LedgerCheck, 'sum' | 'found'>): boolean {
  return sum === 0 && found === 0
}

/** Formats the check as lines of output; the last one is the result. */
export function formatCheck(check: LedgerCheck): string[] {
  if (isConsistent(check)) return [`ledger ok: ${check.entries} entries, sum 0`]
  const shown = check.differences.map(
    ({ comparison, subject, kept, replayed }) =>
      `  ${comparison}: ${subject} is stored as ${kept}, the ledger sums to ${replayed}`,
  )
  const more = check.found - check.differences.length
  return [
    'The ledger is inconsistent (amounts in 10^-4 of the currency unit):',
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    `ledger wrong: ${check.entries} entries, sum ${check.sum}, ${check.found} differences`,
  ]
}
