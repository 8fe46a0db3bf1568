import { type MapCallKind, type MapService, mapCallKinds } from '@hansom/domain/geo/map-services'
import { cityDay } from '@hansom/domain/time/city-time'
import { eq, sql } from 'drizzle-orm'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../log/log.ts'
import { type DayCap, DayTally } from './day-tally.ts'
import { mapCallsTable as table } from './table.ts'

/** Calls are written in batches, at most this long after they were made, ms. */
const batchMs = 5_000

export interface MapMeterDeps {
  database: Pick<Database, 'withTransaction'>
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  /** IANA name; its days are counted. */
  timezone: string
  cap: DayCap
  /** Micro US dollars of one billed unit. */
  priceOf: (service: MapService, kind: MapCallKind) => number
}

/**
 * Counts calls to outside map services by day, for the cap and for admins. Totals are stored, so that they survive a
 * restart; a killed server loses those of its last seconds. Several servers see each other's calls with the same delay.
 */
export async function createMapMeter({ database, clock, log, timezone, cap, priceOf }: MapMeterDeps) {
  const tally = new DayTally(cap)
  const today = () => cityDay(clock.now(), timezone)
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()

  const write = async () => {
    const rows = tally.write()
    try {
      // One transaction: rows that were stored must not be added again because reading the totals failed.
      const stored = await database.withTransaction(
        async ({ db }) => {
          if (rows.length > 0) {
            await db
              .insert(table)
              .values([...rows])
              .onConflictDoUpdate({
                target: [table.day, table.service, table.kind],
                set: {
                  calls: sql`${table.calls} + excluded.calls`,
                  failures: sql`${table.failures} + excluded.failures`,
                  cost: sql`${table.cost} + excluded.cost`,
                },
              })
          }
          return db.select().from(table).where(eq(table.day, today()))
        },
        // Also of a server whose term has ended: the calls were made.
        { term: null },
      )
      tally.written(stored)
    } catch (error) {
      tally.notWritten()
      throw error
    }
  }
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const next = running.then(write)
    running = next.catch(() => {})
    return next
  }
  const flushSoon = () => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        log.warn({ err: error }, 'map calls not stored, retrying')
        flushSoon()
      })
    }, batchMs).unref()
  }

  await flush()
  return {
    take: (service: MapService, kind: MapCallKind, units: number) => {
      const isTaken = tally.take(today(), service, kind, units * priceOf(service, kind))
      if (isTaken) flushSoon()
      return isTaken
    },
    failed: (service: MapService, kind: MapCallKind) => {
      tally.failed(today(), service, kind)
      flushSoon()
    },
    today: () => {
      const day = today()
      const { calls, cost } = tally.total(day)
      return {
        day,
        calls: tally
          .counts(day)
          .sort((a, b) => mapCallKinds.indexOf(a.kind) - mapCallKinds.indexOf(b.kind))
          .map(({ service, kind, calls: count, failures, cost: microUsd }) => ({
            service,
            kind,
            calls: count,
            failures,
            microUsd,
          })),
        total: { calls, microUsd: cost },
        cap: { calls: cap.calls, microUsd: cap.cost },
      }
    },
    /** Stores what was counted, and reads the totals of every server. */
    flush,
  }
}
