import { randomBytes } from 'node:crypto'
import type { LedgerSums } from '@hansom/contract/wallet'
import type { WithdrawView } from '@hansom/contract/withdraws'
import { unit } from '@hansom/domain/money/amount'
import type { Role } from '@hansom/domain/users/roles'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { signedToken } from '../accounts/find-session.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { eraseAccount } from '../users/admin/remove-user.ts'

const secret = 'session secret for the withdrawal tests'
let app: TestApp
let admin: string
let adminId: string
beforeAll(async () => {
  const limits = { all: 1e6, signIn: 1e6 }
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits })
  adminId = await app.addUser({ email: 'admin@x.test', usertype: 'admin', firstName: 'Ada' })
  admin = await openSession(adminId)
})
afterAll(() => app.close())

async function call<T>(
  method: 'GET' | 'POST',
  url: string,
  authorization: string,
  payload?: object,
  key?: string,
) {
  const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) })
  return {
    status: answer.statusCode,
    body: answer.json<T & { error?: string; data?: { current?: object } }>(),
  }
}

const credit = (uid: string, amount: number, key?: string) =>
  call<{ id: string; before: number; after: number }>(
    'POST',
    '/api/v1/wallet/credits',
    admin,
    { uid, amount, reason: 'Start' },
    key,
  )

async function person(usertype: Role, balance = 0) {
  const email = `${usertype}-${uuidv7()}@x.test`
  const uid = await app.addUser({ email, usertype, firstName: 'Dora', lastName: 'Driver' })
  if (balance !== 0) expect((await credit(uid, balance)).status).toBe(201)
  return { uid, email, bearer: await openSession(uid) }
}

/** Opens a session like a sign-in, without hashing a password. */
async function openSession(uid: string): Promise<string> {
  const token = randomBytes(16).toString('hex')
  await app.database.pool.query(
    `insert into auth_sessions (id, token, user_id, expires_at)
      values (gen_random_uuid(), $1, $2, now() + interval '1 day')`,
    [token, uid],
  )
  return `Bearer ${signedToken(token, secret)}`
}

const bank = { bankName: 'Banco', bankCode: '001', bankAccount: '123-456' }
const ask = (bearer: string, amount: number, key?: string, more = {}) =>
  call<WithdrawView>('POST', '/api/v1/me/withdraws', bearer, { amount, ...bank, ...more }, key)
const balanceOf = async (bearer: string) =>
  (await call<{ balance: number }>('GET', '/api/v1/me/wallet', bearer)).body.balance
const sums = async (query = '') => {
  const { body } = await call<LedgerSums>('GET', `/api/v1/ledger/sums${query}`, admin)
  return {
    total: body.total,
    of: Object.fromEntries(body.accounts.map(({ group, of, sum }) => [of ?? group, sum])),
  }
}
const setSettings = (changes: object) =>
  app.database.withTransaction((tx) => app.services.settings.update(tx, changes))
const setMode = (AllowCriticalEditsAdmin: boolean) => setSettings({ AllowCriticalEditsAdmin })

describe('request', () => {
  test('enough money -> wallet debited immediately, visible to owner and admins', async () => {
    const { uid, bearer } = await person('driver', 100 * unit)
    const { status, body } = await ask(bearer, 60 * unit)
    expect([status, body]).toMatchObject([
      201,
      {
        uid,
        name: 'Dora Driver',
        amount: 60 * unit,
        ...bank,
        processed: false,
        refused: false,
        procesDate: null,
      },
    ])
    expect(await balanceOf(bearer)).toBe(40 * unit)
    const own = await call<{ items: WithdrawView[] }>('GET', '/api/v1/me/withdraws', bearer)
    expect(own.body.items).toEqual([body])
    const all = await call<{ items: WithdrawView[] }>('GET', `/api/v1/withdraws?uid=${uid}&state=open`, admin)
    expect(all.body.items).toEqual([body])
    expect((await call('GET', `/api/v1/withdraws/count?uid=${uid}`, admin)).body).toEqual({
      count: 1,
      more: false,
    })
    const history = await call<{ items: object[] }>('GET', '/api/v1/me/wallet', bearer)
    expect(history.body.items[0]).toMatchObject({ type: 'Withdraw', amount: 60 * unit })
  })

  test('invalid or unavailable -> refused with a reason, nothing moves', async () => {
    const { bearer } = await person('driver', 10 * unit)
    const key = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body.error
    expect(await key(bearer, 0)).toBe('no_details_error')
    expect(await key(bearer, -unit)).toBe('no_details_error')
    expect(await key(bearer, 11 * unit)).toBe('low_wallet')
    expect(await key(bearer, unit, undefined, { bankAccount: ' ' })).toBe('bank_details_needed')
    const rider = await person('rider', 10 * unit)
    await setSettings({ RiderWithDraw: false })
    expect(await key(rider.bearer, unit)).toBe('withdraw_unavailable')
    await setSettings({ RiderWithDraw: true })
    expect((await ask(rider.bearer, unit)).status).toBe(201)
    expect(await balanceOf(bearer)).toBe(10 * unit)
  })

  test('more than the balance -> low_wallet, even if drivers may owe', async () => {
    const { bearer } = await person('driver', unit)
    await setSettings({ negativeBalance: true })
    expect((await ask(bearer, 3 * unit)).body.error).toBe('low_wallet')
    expect((await ask(bearer, 9_007_199_254_740_000)).body.error).toBe('invalid_input')
    expect(await balanceOf(bearer)).toBe(unit)
  })

  test('take back: waiting, concurrent refusal -> money returns once', async () => {
    const { bearer } = await person('driver', 100 * unit)
    const { id } = (await ask(bearer, 60 * unit)).body
    const back = (who: string) => call<WithdrawView>('POST', `/api/v1/me/withdraws/${id}/take-back`, who)
    expect((await back((await person('driver')).bearer)).body.error).toBe('not_found')
    const answers = await Promise.all([
      back(bearer),
      back(bearer),
      call<WithdrawView>('POST', `/api/v1/withdraws/${id}/refuse`, admin, { reason: 'wrong account' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await balanceOf(bearer)).toBe(100 * unit)
    expect((await back(bearer)).body.error).toBe('wrong_status')
  })

  test('same key four times at once -> one request', async () => {
    const { bearer } = await person('driver', 100 * unit)
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(bearer, 60 * unit, 'the-same-key')))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await balanceOf(bearer)).toBe(40 * unit)
    expect((await ask(bearer, 10 * unit, 'the-same-key')).body.error).toBe('idempotency_mismatch')
  })

  test('twenty at once -> no more than the balance', async () => {
    const { bearer } = await person('driver', 100 * unit)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(bearer, 30 * unit)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await balanceOf(bearer)).toBe(10 * unit)
  })
})

describe('decision', () => {
  const decide = (id: string, command: 'process' | 'refuse', payload: object = {}, key?: string) =>
    call<WithdrawView>('POST', `/api/v1/withdraws/${id}/${command}`, admin, payload, key)

  test('a hundred concurrent decisions -> one succeeds', async () => {
    const { uid, bearer } = await person('driver', 100 * unit)
    const { id } = (await ask(bearer, 60 * unit)).body
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, turn) =>
        turn % 4 === 3 ? decide(id, 'refuse', { reason: 'no' }) : decide(id, 'process'),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(new Set(answers.flatMap(({ body }) => body.error ?? []))).toEqual(new Set(['wrong_status']))
    const { processed } = (won[0] as (typeof won)[0]).body
    expect(await balanceOf(bearer)).toBe((processed ? 40 : 100) * unit)
    const { of, total } = await sums(`?user=${uid}`)
    expect([total, of[uid], of.payout]).toEqual([
      0,
      (processed ? 40 : 100) * unit,
      (processed ? 60 : 0) * unit,
    ])
    const entries = await app.database.pool.query('select 1 from ledger_entries where key = $1', [
      `withdraw:${id}:done`,
    ])
    expect(entries.rowCount).toBe(1)
    const log = await app.database.pool.query('select action from audit_log where subject = $1', [id])
    expect(log.rows).toEqual([{ action: processed ? 'withdraws.process' : 'withdraws.refuse' }])
  })

  test('process -> money is at the bank, owner is notified', async () => {
    const { uid, bearer } = await person('driver', 100 * unit)
    const { id } = (await ask(bearer, 60 * unit)).body
    const before = await sums()
    const { body } = await decide(id, 'process', {}, 'process-once')
    expect(body).toMatchObject({ processed: true, refused: false, procesDate: expect.any(Number) })
    // Repeated with the same key, the response is the same.
    expect((await decide(id, 'process', {}, 'process-once')).body).toEqual(body)
    expect((await decide(id, 'process')).body).toMatchObject({
      error: 'wrong_status',
      data: { current: { id } },
    })
    const after = await sums()
    expect((after.of.bank ?? 0) - (before.of.bank ?? 0)).toBe(60 * unit)
    expect([before.total, after.total]).toEqual([0, 0])
    const notified = await call<{ items: { title: string; screen: string }[] }>(
      'GET',
      '/api/v1/me/notifications',
      bearer,
    )
    expect(notified.body.items[0]).toMatchObject({
      title: 'notify.withdraw_processed.title',
      screen: 'wallet',
    })
    expect((await app.services.users.find(uid))?.walletBalance).toBe(40 * unit)
  })

  test('refuse -> needs a reason, money returns', async () => {
    const { bearer } = await person('driver', 100 * unit)
    const { id } = (await ask(bearer, 60 * unit)).body
    expect((await decide(id, 'refuse', { reason: ' ' })).body.error).toBe('reason_needed')
    const { body } = await decide(id, 'refuse', { reason: 'the account is closed' })
    expect(body).toMatchObject({ processed: false, refused: true, reason: 'the account is closed' })
    expect(await balanceOf(bearer)).toBe(100 * unit)
    expect((await decide(id, 'process')).body.error).toBe('wrong_status')
    expect((await decide(uuidv7(), 'process')).body.error).toBe('not_found')
  })

  test('critical edits are off -> demo_mode', async () => {
    const { bearer } = await person('driver', 100 * unit)
    const { id } = (await ask(bearer, 60 * unit)).body
    await setMode(false)
    expect((await decide(id, 'process')).body.error).toBe('demo_mode')
    expect((await credit(uuidv7(), unit)).body.error).toBe('demo_mode')
    await setMode(true)
  })
})

describe('credit', () => {
  test('same key three times -> one credit with both balances, owner is notified', async () => {
    const { uid, bearer } = await person('rider', 5 * unit)
    const answers = await Promise.all([1, 2, 3].map(() => credit(uid, 50 * unit, 'one-credit')))
    for (const { body } of answers) expect(body).toMatchObject({ uid, before: 5 * unit, after: 55 * unit })
    expect(await balanceOf(bearer)).toBe(55 * unit)
    const history = await call<{ items: object[] }>('GET', '/api/v1/me/wallet', bearer)
    expect(history.body.items[0]).toMatchObject({ type: 'Credit', amount: 50 * unit, txRef: 'AdminCredit' })
    const notified = await call<{ items: { params: object }[] }>('GET', '/api/v1/me/notifications', bearer)
    expect(notified.body.items[0]).toMatchObject({ title: 'notify.wallet_credited.title' })
    expect(JSON.stringify(notified.body.items[0]?.params)).toContain('50')
  })

  test('no amount, unknown user -> refused', async () => {
    const { uid } = await person('rider')
    expect((await credit(uid, 0)).body.error).toBe('no_details_error')
    expect((await credit(uid, -unit)).body.error).toBe('no_details_error')
    expect((await credit(uuidv7(), unit)).body.error).toBe('not_found')
  })
})

describe('ledger', () => {
  interface Page {
    items: {
      id: string
      kind: string
      by_name: string | null
      legs: { group: string; amount: number; name: string | null }[]
    }[]
    next: string | null
  }
  const ledger = async (query: string) => (await call<Page>('GET', `/api/v1/ledger?${query}`, admin)).body

  test('filter by user -> entries with names', async () => {
    const { uid, bearer } = await person('driver', 100 * unit)
    await ask(bearer, 60 * unit)
    const { items } = await ledger(`user=${uid}`)
    expect(items.map(({ kind }) => kind)).toEqual(['withdraw_asked', 'admin_credit'])
    expect(items[1]).toMatchObject({
      by_name: 'Ada Person',
      legs: [
        { group: 'adjustment', of: null, amount: -100 * unit },
        { group: 'user', of: uid, name: 'Dora Driver', amount: 100 * unit, balance: 100 * unit },
      ],
    })
  })

  test('filters by account and kind, cursor -> matching entries', async () => {
    const { uid, bearer } = await person('driver', 100 * unit)
    for (const amount of [1, 2, 3]) await ask(bearer, amount * unit)
    const about = `user=${uid}`
    expect((await ledger(`${about}&account=payout`)).items).toHaveLength(3)
    expect((await ledger(`${about}&account=adjustment,bank`)).items).toHaveLength(1)
    expect((await ledger(`${about}&kind=withdraw_asked`)).items).toHaveLength(3)
    expect((await ledger(`${about}&account=promo`)).items).toEqual([])
    const first = await ledger(`${about}&limit=3`)
    const rest = await ledger(`${about}&limit=3&cursor=${first.next}`)
    expect([...first.items, ...rest.items].map(({ legs }) => Math.abs(legs[0]?.amount ?? 0) / unit)).toEqual([
      3, 2, 1, 100,
    ])
    const days = '2001-01-01..2001-01-31'
    expect((await call('GET', `/api/v1/ledger/count?${about}&at=${days}`, admin)).body).toEqual({
      count: 0,
      more: false,
    })
  })

  test('sums -> zero, same folded or not, equal to a count of all legs', async () => {
    const { uid, bearer } = await person('driver', 100 * unit)
    const asked = await Promise.all(Array.from({ length: 10 }, () => ask(bearer, unit)))
    await Promise.all(
      asked.flatMap(({ body: { id } }, turn) => [
        call(
          'POST',
          `/api/v1/withdraws/${id}/${turn % 2 ? 'process' : 'refuse'}`,
          admin,
          turn % 2 ? {} : { reason: 'x' },
        ),
        app.database.pool.query('select fold_ledger_sums()'),
      ]),
    )
    const before = await sums()
    await app.database.pool.query('select fold_ledger_sums()')
    const after = await sums()
    expect(after).toEqual(before)
    expect(after.total).toBe(0)
    const counted = await app.database.pool.query<{ account: string; sum: number }>(
      `select split_part(account, ':', 1) as account, sum(amount)::bigint as sum from ledger_legs group by 1`,
    )
    for (const { account, sum } of counted.rows)
      expect([account, after.of[account] ?? 0]).toEqual([account, sum])
    await app.database.pool.query('select rebuild_ledger_sums()')
    const rebuilt = await sums()
    for (const { account, sum } of counted.rows) expect(rebuilt.of[account] ?? 0).toBe(sum)
    // A booking without entries, with and without a user.
    expect(await sums(`?booking=${uuidv7()}`)).toEqual({ total: 0, of: {} })
    expect(await sums(`?user=${uid}&booking=${uuidv7()}`)).toEqual({ total: 0, of: {} })
    const own = await sums(`?user=${uid}`)
    expect([own.total, own.of[uid]]).toEqual([0, 95 * unit])
  })
})

test('export: critical edits are off -> withdrawals allowed, ledger and audit log refused', async () => {
  const { uid, bearer } = await person('driver', 100 * unit)
  await ask(bearer, 60 * unit)
  const file = async (name: string, query = '') => {
    const url = `/api/v1/exports/${name}?${query}`
    const answer = await app.server.inject({ url, headers: { authorization: admin } })
    return { status: answer.statusCode, lines: answer.body.trimEnd().split('\r\n') }
  }
  const ledger = await file('ledger', `user=${uid}`)
  expect(ledger.lines).toHaveLength(5)
  expect(ledger.lines[0]).toContain('"Account","Name","Amount"')
  expect((await file('audit', 'action=wallet.credit')).lines[1]).toContain(
    '"Added to wallet","Wallet","Dora Driver"',
  )
  await setMode(false)
  const requests = await file('withdraws', `uid=${uid}`)
  expect([requests.status, requests.lines.length]).toEqual([200, 2])
  expect(requests.lines[1]).toMatch(/^"Dora Driver",60,"Waiting",/)
  expect([(await file('ledger')).status, (await file('audit')).status]).toEqual([403, 403])
  await setMode(true)
})

test('account deletion: open request -> open_withdrawal; paid request -> no name, bank account kept as evidence', async () => {
  const { uid, bearer } = await person('driver', 60 * unit)
  const { id } = (await ask(bearer, 60 * unit)).body
  const remove = () =>
    app.server.inject({ method: 'DELETE', url: `/api/v1/users/${uid}`, headers: { authorization: admin } })
  expect((await remove()).json().error).toBe('open_withdrawal')
  await call('POST', `/api/v1/withdraws/${id}/process`, admin, {})
  expect((await remove()).statusCode).toBe(200)
  await eraseAccount({ database: app.database, now: () => 1 }, uid)
  const { rows } = await app.database.pool.query('select * from withdraws where id = $1', [id])
  expect(rows).toMatchObject([
    {
      name: 'Deleted user',
      bank_name: 'Banco',
      bank_account: '123-456',
      bank_code: '001',
      amount: 60 * unit,
    },
  ])
  const log = await call<{ items: { label: string; by_user: string }[] }>(
    'GET',
    '/api/v1/audit?kind=withdraw',
    admin,
  )
  expect(log.body.items[0]).toMatchObject({ label: 'Deleted user', by_user: adminId })
})
