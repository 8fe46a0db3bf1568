import type { LedgerCheckView } from '@hansom/contract/wallet'
import { Refusal } from '@hansom/domain/error-keys'
import { cityDay, cityTime } from '@hansom/domain/time/city-time'
import { desc } from 'drizzle-orm'
import { z } from 'zod'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { takeLease } from '../../platform/database/lease.ts'
import type { Os } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { SettingsService } from '../settings/service.ts'
import { checkLedger, isConsistent } from './check-ledger.ts'
import { ledgerChecksTable } from './table.ts'

export interface LedgerCheckService {
  /** Returns the result of the last replay; null before the first. */
  last(): Promise<LedgerCheckView | null>
  /** Replays the ledger now. Throws conflict while another check runs. */
  now(): Promise<LedgerCheckView>
  /** The nightly check: once for each of the city's days, from 3 am. Null when it is not due. */
  nightly(): Promise<LedgerCheckView | null>
}

export interface LedgerCheckDeps {
  database: Database
  clock: Clock
  jobs: Jobs
  log: Log
  settings: Pick<SettingsService, 'current'>
}

const checkHour = '03'
/** Checked often but run once a night, so that a server that was off at that hour catches up. */
const checkEveryS = 600

export function createLedgerCheckService(deps: LedgerCheckDeps): LedgerCheckService {
  const { database, clock, jobs, log, settings } = deps
  const { db, pool } = database

  const last = async (): Promise<LedgerCheckView | null> => {
    const [row] = await db.select().from(ledgerChecksTable).orderBy(desc(ledgerChecksTable.id)).limit(1)
    return row === undefined ? null : viewOf(row)
  }

  const now = async () => {
    const lease = await takeLease({ database, name: 'ledger-check', log })
    if (lease === null) throw new Refusal('conflict')
    try {
      const check = await checkLedger(pool)
      const row = { at: clock.now(), ...check }
      await database.withTransaction(async (tx) => {
        // A check that ends late must not replace the result of a newer one.
        await lease.guard(tx.client)
        await tx.db.insert(ledgerChecksTable).values(row)
      })
      const { entries, sum, found, differences } = check
      if (isConsistent(check)) log.info({ entries }, 'ledger check found no differences')
      else log.error({ entries, sum, found, differences }, 'ledger check found differences')
      return viewOf(row)
    } finally {
      await lease.release()
    }
  }

  const nightly = async () => {
    const { timezone } = await settings.current()
    const time = clock.now()
    if (cityTime(time, timezone).slice(11, 13) < checkHour) return null
    const before = await last()
    if (before !== null && cityDay(before.at, timezone) >= cityDay(time, timezone)) return null
    return now()
  }

  jobs.define(
    'ledger.check',
    { schema: z.object({}), repeat: { everyS: checkEveryS, data: {} }, timeoutS: 3_600, concurrency: 1 },
    async () => void (await nightly()),
  )
  return { last, now, nightly }
}

function viewOf({ at, ...check }: Omit<typeof ledgerChecksTable.$inferSelect, 'id'>): LedgerCheckView {
  return { at, ...check, right: isConsistent(check) }
}

/** Routes that replay the ledger and show the last result. */
export function ledgerCheckRoutes({ ledger: os }: Os, ledgerCheck: LedgerCheckService) {
  return {
    lastCheck: os.lastCheck.handler(async () => ({ check: await ledgerCheck.last() })),
    check: os.check.handler(() => ledgerCheck.now()),
  }
}
