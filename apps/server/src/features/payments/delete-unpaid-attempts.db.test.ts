import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { deleteUnpaidAttempts } from './reconcile.ts'

const now = 1_800_000_000_000
const dayMs = 24 * 60 * 60_000
let app: TestApp
let rider: string
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  rider = await app.addUser({ email: 'rider@x.test', usertype: 'rider' })
})
afterAll(() => app.close())

async function topUp(code: string, ageDays: number): Promise<string> {
  const id = uuidv7()
  await app.database.pool.query(
    `insert into top_ups (id, code, uid, amount, currency, created_at) values ($1, $2, $3, 10000, 'UYU', $4)`,
    [id, code, rider, now - ageDays * dayMs],
  )
  return id
}

interface Attempt {
  code: string
  state: 'paid' | 'failed' | 'expired' | 'started'
  closed?: boolean
  askAt?: number | null
  ageDays?: number
}

async function attempt({ code, state, closed = true, askAt = null, ageDays = 401 }: Attempt) {
  const id = uuidv7()
  const opened = now - ageDays * dayMs
  await app.database.pool.query(
    `insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency, state,
       paid_at, created_at, opened_at, ask_at, closed)
     values ($1, 'stripe', false, $2, $3, 1, $4, $5, 'Rider', 10000, 'UYU', $6, $7, $8, $8, $9, $10)`,
    [
      id,
      await topUp(code, ageDays),
      code,
      id,
      rider,
      state,
      state === 'paid' ? opened : null,
      opened,
      askAt,
      closed,
    ],
  )
  return id
}

test('unpaid attempts: ended 400 days ago -> deleted with their top-ups; others are kept', async () => {
  for (const state of ['failed', 'expired'] as const) await attempt({ code: state, state })
  await attempt({ code: 'recent', state: 'failed', ageDays: 399 })
  await attempt({ code: 'paid', state: 'paid' })
  await attempt({ code: 'open', state: 'started', closed: false })
  await attempt({ code: 'unfinished', state: 'failed', closed: false })
  await attempt({ code: 'asked again', state: 'expired', askAt: now })
  const refunded = await attempt({ code: 'refunded', state: 'expired' })
  await app.database.pool.query(
    `insert into refunds (id, at, code, source, payment, provider, rider, rider_name, amount, currency, bearer, reason,
       state, before, look_at, ended_at, by_user)
     values ($1, $2, 'refunded', 'card', $3, 'stripe', $4, 'Rider', 10000, 'UYU', 'platform', 'x', 'failed', 0, $2, $2, $4)`,
    [uuidv7(), now, refunded, rider],
  )
  await topUp('never tried', 401)
  await topUp('just begun', 1)

  await deleteUnpaidAttempts({ database: app.database, worldNow: () => now })
  const codes = async (table: string) =>
    (await app.database.pool.query<{ code: string }>(`select code from ${table}`)).rows.map(
      ({ code }) => code,
    )
  const kept = ['recent', 'paid', 'open', 'unfinished', 'asked again', 'refunded']
  expect((await codes('payments')).sort()).toEqual(kept.sort())
  expect((await codes('top_ups')).sort()).toEqual([...kept, 'just begun'].sort())
})

test('unpaid attempts: more than one batch -> all are deleted', async () => {
  await app.database.pool.query(
    `with wish as (insert into top_ups (id, code, uid, amount, currency, created_at)
         select gen_random_uuid(), 'old ' || n, $1, 10000, 'UYU', 0 from generate_series(1, 4100) n returning *)
       insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency,
         state, created_at, opened_at, closed)
       select gen_random_uuid(), 'stripe', false, id, code, 1, id::text, uid, 'Rider', amount, currency, 'failed', 0, 0, true
         from wish`,
    [rider],
  )
  await deleteUnpaidAttempts({ database: app.database, worldNow: () => now })
  const left = await app.database.pool.query(
    `select from payments where code like 'old %' union all select from top_ups where code like 'old %'`,
  )
  expect(left.rowCount).toBe(0)
})
