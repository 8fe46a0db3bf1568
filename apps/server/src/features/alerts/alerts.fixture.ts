import { type AlertKind } from '@hansom/domain/alerts/alerts'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { expect } from 'vitest'
import { createCarType } from '../../access-scene.fixture.ts'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, loadTestConfig, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { addBooked } from '../reports/booked.fixture.ts'

export interface Stored {
  id: string
  user_id: string
  title: string
  msg: string
  params: Record<string, string>
  screen: AlertKind
  booking_id: string | null
  read_at: number | null
}

export type AlertScene = Awaited<ReturnType<typeof createAlertScene>>

/** An application whose matters a test opens and closes; its jobs do not run. */
export async function createAlertScene(changes: Parameters<typeof createTestApp>[0] = {}) {
  const clock: ManualClock = manualClock()
  const app: TestApp = await createTestApp({ maps: straightMaps(), clock, ...changes })
  const { pool } = app.database
  const carType = await createCarType(app.database)
  const ids: Record<string, string> = {}
  const add = async (
    name: string,
    usertype: 'admin' | 'fleetadmin' | 'driver' | 'rider',
    more: object = {},
  ) => {
    ids[name] = await app.addUser({ email: `${name}@x.test`, usertype, firstName: name, ...more })
    return ids[name]
  }
  const now = () => clock.now()
  const book = async (
    status: BookingStatus,
    more: { at?: number; driver?: string; fleetadmin?: string } = {},
  ) =>
    addBooked(
      app.database,
      { customer: ids.rita ?? '', carType },
      { driver: null, at: now(), ...more, status },
    )

  return {
    app,
    pool,
    clock,
    ids,
    add,
    book,
    async call(name: string, method: 'GET' | 'PUT', path = '', payload?: object) {
      const authorization = await app.bearer(`${name}@x.test`)
      const url = `/api/v1/alerts${path}`
      return app.server.inject({ method, url, headers: { authorization }, ...(payload && { payload }) })
    },
    async counts(name: string): Promise<Partial<Record<AlertKind, number>>> {
      const authorization = await app.bearer(`${name}@x.test`)
      const reply = await app.server.inject({ url: '/api/v1/alerts', headers: { authorization } })
      const { counts } = reply.json<{ counts: { kind: AlertKind; count: number }[] }>()
      return Object.fromEntries(counts.map(({ kind, count }) => [kind, count]))
    },
    /** Scans; waits while the server's own scan runs. */
    scan: () => expect.poll(() => app.services.alerts.scan(), { timeout: 20_000 }).toBe(true),
    /** The alerts that a user was notified of, oldest first. */
    async alertsOf(name: string): Promise<Stored[]> {
      const { rows } = await pool.query<Stored>(
        `select * from user_notifications where user_id = $1 and title like 'alert.%' order by id`,
        [ids[name]],
      )
      return rows
    },
    /** Removes what the tests of this file have opened and announced. */
    async clear() {
      await pool.query(`delete from user_notifications; delete from notification_keys; delete from alert_mails;
        delete from refunds; delete from payments; delete from withdraws; delete from parked_events; delete from message_counts; delete from outbox;
        delete from booking_search; delete from report_operations; delete from bookings;
        delete from pgboss.job; update users set approved = true, rejection = null where usertype in ('driver', 'rider')`)
    },

    waitingDriver: (fleetadmin: string | null = null) =>
      add(`driver${uuidv7()}`, 'driver', { approved: false, ...(fleetadmin && { fleetadmin }) }),
    async withdrawal(uid: string) {
      const id = uuidv7()
      await pool.query(
        `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
          values ($1, $2, 'Dina Driver', $3, $4, 'A bank', '1', '2', 'UYU')`,
        [id, uid, 100 * unit, now()],
      )
      return id
    },
    async noDriver() {
      const id = await book('NEW')
      await pool.query(
        `update bookings set status = 'CANCELLED', cancelled_by = 'system', reason = 'no_driver_found', closed_at = $2
          where id = $1`,
        [id, now()],
      )
      return id
    },
    async payment(booking: string, state: 'failed' | 'mismatch' | 'started' | 'paid', number = 1) {
      const id = uuidv7()
      await pool.query(
        `insert into payments (id, provider, live, booking, code, number, reference, payer, payer_name, amount, currency, state,
            created_at, opened_at, closed, paid_at, mismatch_at)
          values ($1::uuid, 'stripe', false, $2, 'CODE', $3, $1::uuid::text, $4, 'Rita', $5, 'UYU', $6::text, $7::int8, $7, false,
            case $6 when 'paid' then $7 end, case $6 when 'mismatch' then $7 end)`,
        [id, booking, number, ids.rita, 50 * unit, state, now()],
      )
      return id
    },
    async refund(payment: string, booking: string, state = 'by_hand') {
      const id = uuidv7()
      await pool.query(
        `insert into refunds (id, at, booking, code, source, payment, provider, rider, rider_name, amount, currency, bearer,
            reason, state, before, look_at, by_user, review_at)
          values ($1, $2, $3, 'CODE', 'card', $4, 'stripe', $5, 'Rita', $6, 'UYU', 'platform', 'late', $7, 0, $2, $8, $2)`,
        [id, now(), booking, payment, ids.rita, 20 * unit, state, ids.ada],
      )
      return id
    },
    async objection(fleetadmin: string, driver: string) {
      const id = await book('PENDING', { driver, fleetadmin })
      await pool.query(`update bookings set objection = 'open', cash_answer = 'nothing' where id = $1`, [id])
      await pool.query(
        `insert into booking_events (booking_id, version, at, actor, by_user, command, from_status, to_status)
          values ($1, 2, $2, 'rider', $3, 'object', 'PENDING', 'PENDING')`,
        [id, now(), ids.rita],
      )
      return id
    },
    /** A delivery whose only drop failed, reported without a position. */
    async unprovenStop(fleetadmin: string, driver: string) {
      const id = await book('STARTED', { driver, fleetadmin })
      await pool.query(
        `insert into deliveries (booking_id, stop_order, return_leg) values ($1, 'given', '{}')`,
        [id],
      )
      await pool.query(
        `insert into delivery_stops (booking_id, n, kind, place, person, phone, planned_at, share, outcome, failure, done_at, unseen)
          values ($1, 1, 'drop', '{}', 'Ada', '099 123 456', $2, 0, 'failed', 'refused', $2, true)`,
        [id, now()],
      )
      return id
    },
    async chatReport(booking: string, driver: string) {
      await pool.query('insert into chats (booking_id, driver_id, created_at) values ($1, $2, 1)', [
        booking,
        driver,
      ])
      await pool.query(
        `insert into chat_reports (id, booking_id, driver_id, by, by_user, reason, note, at)
          values (gen_random_uuid(), $1, $2, 'driver', $2, 'abusive', '', $3)`,
        [booking, driver, now()],
      )
    },
    async alarm(fleetadmin: string, driver: string) {
      const [id, booking] = [uuidv7(), await book('PAID', { driver, fleetadmin })]
      await pool.query(
        `insert into safety_events (id, booking_id, kind, driver, fleetadmin, state, opened_at, alarm_at, raised_by)
          values ($1, $2, 'panic', $3, $4, 'alarm', $5, $5, $3)`,
        [id, booking, driver, fleetadmin, now()],
      )
      return id
    },
    mailLimit: loadTestConfig().messageLimits.mails.total,
    /** Sets a channel's counts of the day. */
    messages: ({ channel = 'mails', sent = 0, dropped = 0 }) =>
      pool.query(
        `insert into message_counts (day, key, sent, dropped) values ($1, $2, $3, $4)
          on conflict (day, key) do update set sent = $3, dropped = $4`,
        [new Date(now()).toISOString().slice(0, 10), `${channel} total`, sent, dropped],
      ),
    parkedEvent: (kind: string, failingSince: number, id = failingSince) =>
      pool.query(
        `insert into parked_events (id, at, kind, payload, error, failing_since) values ($1, 1, $2, '{}', 'broken', $3)`,
        [id, kind, failingSince],
      ),
  }
}
