import type { WithdrawView } from '@hansom/contract/withdraws'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let admins: { id: string; bearer: string }[]
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), limits: { all: 1e6, signIn: 1e6 } })
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { RiderWithDraw: false }))
  admins = await Promise.all(
    ['ada@payouts.test', 'ann@payouts.test'].map(async (email) => ({
      id: await app.addUser({ email, usertype: 'admin' }),
      bearer: await app.bearer(email),
    })),
  )
})
afterAll(() => app.close())

const bank = { bankName: 'Banco', bankCode: '001', bankAccount: '123-456' }

async function call<T>(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  { by = 0, key }: { by?: number; key?: string } = {},
) {
  const headers = {
    authorization: admins[by]?.bearer ?? '',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const answer = await app.server.inject({
    method,
    url: `/api/v1${url}`,
    headers,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<T & { error?: string }>() }
}
const payOut = (uid: string, amount: number, options?: { by?: number; key?: string }) =>
  call<WithdrawView>('POST', '/withdraws', { uid, amount, ...bank }, options)

async function rider(balance: number): Promise<string> {
  const uid = await app.addUser({ email: `${uuidv7()}@payouts.test`, usertype: 'rider', firstName: 'Rita' })
  await call('POST', '/wallet/credits', { uid, amount: balance, reason: 'Start' })
  return uid
}
async function balanceOf(uid: string): Promise<number> {
  const found = await app.database.pool.query<{ balance: string }>(
    'select wallet_balance as balance from users where id = $1',
    [uid],
  )
  return Number(found.rows[0]?.balance)
}

test('payout by an admin: rider who may not withdraw -> debited, audited, notified, can be deleted', async () => {
  const uid = await rider(100 * unit)
  const { status, body } = await payOut(uid, 100 * unit)
  expect([status, body.uid, body.amount, body.processed]).toEqual([201, uid, 100 * unit, false])
  expect(await balanceOf(uid)).toBe(0)
  const { rows: audit } = await app.database.pool.query(
    'select by_user, action, kind, person, after from audit_log where subject = $1',
    [body.id],
  )
  expect(audit).toEqual([
    {
      by_user: admins[0]?.id,
      action: 'withdraws.requestFor',
      kind: 'withdraw',
      person: uid,
      after: expect.objectContaining({ amount: 100 * unit, bankAccount: '••••-456' }),
    },
  ])
  const { rows: notices } = await app.database.pool.query(
    `select title from user_notifications where user_id = $1 and title like 'notify.payout%'`,
    [uid],
  )
  expect(notices).toEqual([{ title: 'notify.payout_requested.title' }])
  expect((await call('DELETE', `/users/${uid}`)).body.error).toBe('open_withdrawal')
  expect((await call('POST', `/withdraws/${body.id}/process`)).status).toBe(200)
  const processed = await app.database.pool.query(
    `select before, after from audit_log where subject = $1 and action = 'withdraws.process'`,
    [body.id],
  )
  expect(processed.rows).toEqual([
    { before: null, after: { ...bank, amount: 100 * unit, bankAccount: '••••-456' } },
  ])
  expect((await call('DELETE', `/users/${uid}`)).status).toBe(200)
  expect((await payOut(uid, unit)).body.error).toBe('not_found')
})

test('payout by an admin: more than the balance, an admin, an unknown user -> refused, nothing moves', async () => {
  const uid = await rider(10 * unit)
  const errors = [
    await payOut(uid, 11 * unit),
    await payOut(admins[0]?.id ?? '', unit),
    await payOut(admins[1]?.id ?? '', unit),
    await payOut(uuidv7(), unit),
    await call('POST', '/withdraws', { uid, amount: unit, ...bank, bankAccount: ' ' }),
  ].map(({ body }) => body.error)
  expect(errors).toEqual([
    'low_wallet',
    'withdraw_unavailable',
    'withdraw_unavailable',
    'not_found',
    'bank_details_needed',
  ])
  expect(await balanceOf(uid)).toBe(10 * unit)
})

test('payout by two admins at once -> one request for the balance, one key runs once', async () => {
  const uid = await rider(60 * unit)
  const answers = await Promise.all([0, 1, 0, 1].map((by) => payOut(uid, 60 * unit, { by })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.error === 'low_wallet')).toHaveLength(3)
  const other = await rider(60 * unit)
  const same = await Promise.all([1, 2, 3].map(() => payOut(other, 20 * unit, { key: 'one-payout' })))
  expect(new Set(same.map(({ body }) => body.id)).size).toBe(1)
  expect(await balanceOf(other)).toBe(40 * unit)
})

test('payout by an admin: while the owner is deleted -> paid out or given up, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const uid = await rider(30 * unit)
    const [removed, paid] = await Promise.all([
      call('DELETE', `/users/${uid}?giveUp=${30 * unit}`, { giveUp: 30 * unit }),
      payOut(uid, 30 * unit),
    ])
    expect([removed.status, paid.status].filter((status) => status < 300)).toHaveLength(1)
    expect(await balanceOf(uid)).toBe(0)
  }
})
