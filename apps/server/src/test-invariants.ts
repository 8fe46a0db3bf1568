import { createClient } from '@hansom/client/client'
import { Session } from '@hansom/client/session'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { checkLedger, formatCheck } from './features/ledger-check/check-ledger.ts'
import { failedByName } from './platform/jobs/job-table.ts'
import type { TestApp } from './test-app.ts'
import type { Journey } from './test-journeys.ts'

/** Follows each trip of a rider over the live connection until it ends. Resolves when all have ended for the rider too. */
export function followTrips(origin: string, journey: Journey) {
  const client = createClient({
    url: origin,
    session: new Session(journey.rider.replace('Bearer ', '')),
    webSocket: WebSocket as never,
  })
  const followed = new Map<string, Promise<unknown>>()
  const backwards: string[] = []
  journey.onBooking = (id) => {
    let version = 0
    const take = (next: { version: number; status: string }) => {
      if (next.version < version) backwards.push(`${id} ${version} -> ${next.version}`)
      version = next.version
    }
    if (!followed.has(id)) followed.set(id, client.followBooking(id, take))
  }
  return {
    status: () => client.live.status,
    onStatus: client.live.onStatus,
    async expectAll() {
      await Promise.all(followed.values())
      expect(backwards).toEqual([])
      client.close()
    },
  }
}

/** Fails unless what must always hold does: call it when all trips have ended. */
export async function expectInvariants({ database }: TestApp, journeys: readonly Journey[]): Promise<void> {
  const { pool } = database
  for (const journey of journeys) await journey.expectNothingLost()
  // Every event has been delivered, and no job is left over.
  const waiting = async () => (await pool.query('select count(*)::int as n from outbox')).rows[0].n
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
  expect((await pool.query('select * from parked_events')).rows).toEqual([])
  expect((await failedByName(pool)).map(({ name }) => name)).toEqual([])

  const check = await checkLedger(pool)
  expect(formatCheck(check)).toEqual([`ledger ok: ${check.entries} entries, sum 0`])

  const busy = await pool.query(
    `select driver from bookings where status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')
        group by driver having count(*) > 1`,
  )
  expect(busy.rows).toEqual([])
  // Nothing was done twice: each command once in the history of a booking, one settlement, one notification for each.
  const repeated = await pool.query(
    `select booking_id, command from booking_events where command <> 'request_drivers'
        group by booking_id, command having count(*) > 1`,
  )
  expect(repeated.rows).toEqual([])
  const { rows } = await pool.query(
    `select
        (select count(*)::int from booking_events where command = 'accept') as accepted,
        (select count(*)::int from user_notifications where title = 'notify.accepted.title') as told,
        (select count(*)::int from booking_events where command = 'close') as closed,
        (select count(*)::int from ledger_entries where kind = 'settlement') as settled,
        (select count(*)::int from user_notifications where title = 'notify.rider_paid.title') as paid,
        (select count(*)::int from bookings where status = 'COMPLETE') as complete,
        (select count(*)::int from bookings where cancelled_by is distinct from 'system' and not book_later) as bookings`,
  )
  const { accepted, told, closed, settled, paid, complete, bookings } = rows[0]
  expect({ told, settled, paid, complete }).toEqual({
    told: accepted,
    settled: closed,
    paid: closed,
    complete: bookings,
  })
}
