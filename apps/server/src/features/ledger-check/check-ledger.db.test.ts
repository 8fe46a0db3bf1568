import { unit } from '@hansom/domain/money/amount'
import { entry } from '@hansom/domain/wallet/ledger'
import { adminCredit, topUp, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { createWalletService } from '../wallet/service.ts'
import { checkLedger, formatCheck, isConsistent } from './check-ledger.ts'

let database: TestDatabase
let person: string
const origin = { at: 1, currency: 'UYU', by: null }

beforeEach(async () => {
  database = await createTestDatabase()
  person = uuidv7()
  const { pool } = database
  await pool.query(
    `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
      values ($1, 0, 'A', 'B', 'a@example.test', 'rider', true, 'REFER1')`,
    [person],
  )
  const wallet = createWalletService({ database })
  const request = uuidv7()
  await wallet.appendOnce([adminCredit(uuidv7(), person, 100 * unit)], origin)
  await wallet.appendOnce([adminCredit(uuidv7(), person, -30 * unit)], origin)
  await wallet.appendOnce([withdrawRequested(request, person, 20 * unit)], origin)
  await pool.query(
    `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
      values ($1, $2, 'A B', $3, 1, 'b', 'c', 'd', 'UYU')`,
    [request, person, 20 * unit],
  )
})
afterEach(() => database.close())

const found = async () => (await checkLedger(database.pool)).differences

test('ledger check: consistent -> right, with the number of entries and the sum', async () => {
  const check = await checkLedger(database.pool)
  expect(check).toEqual({ entries: 3, sum: 0, differences: [], found: 0 })
  expect(isConsistent(check)).toBe(true)
  expect(formatCheck(check)).toEqual(['ledger ok: 3 entries, sum 0'])
})

test('ledger check: balance changed outside the ledger -> found', async () => {
  await database.pool.query('update users set wallet_balance = wallet_balance + 1 where id = $1', [person])
  const check = await checkLedger(database.pool)
  expect(check.differences).toContainEqual({
    comparison: 'wallet',
    subject: person,
    kept: 50 * unit + 1,
    replayed: 50 * unit,
  })
  expect(isConsistent(check)).toBe(false)
  expect(formatCheck(check).at(-1)).toMatch(/^ledger wrong: 3 entries, sum 0, \d+ differences$/)
})

test('ledger check: entry changed -> found in legs, balance chain and sums', async () => {
  await database.pool.query('alter table ledger_legs disable trigger user')
  await database.pool.query('update ledger_legs set amount = amount + 7 where user_id = $1 and amount > 0', [
    person,
  ])
  const comparisons = (await found()).map(({ comparison }) => comparison)
  expect(new Set(comparisons)).toEqual(new Set(['entry', 'wallet', 'history', 'sums']))
  expect((await checkLedger(database.pool)).sum).toBe(7)
})

test('ledger check: entry removed -> found, also when the balance was changed with it', async () => {
  const { pool } = database
  await pool.query(
    'alter table ledger_legs disable trigger user; alter table ledger_entries disable trigger user',
  )
  const gone = `(select entry_id from ledger_legs where user_id = '${person}' and amount = ${-30 * unit})`
  await pool.query(`delete from ledger_legs where entry_id in ${gone}`)
  await pool.query('update users set wallet_balance = wallet_balance + $2 where id = $1', [person, 30 * unit])
  expect((await found()).map(({ comparison }) => comparison)).toEqual(
    expect.arrayContaining(['entry', 'history', 'sums']),
  )
})

test('ledger check: escrow of an unknown trip -> found', async () => {
  const trip = uuidv7()
  const stray = entry('admin_credit', 'stray', null, [
    { account: `trip:${trip}`, amount: 5 },
    { account: 'adjustment', amount: -5 },
  ])
  await createWalletService({ database }).appendOnce([stray], origin)
  expect(await found()).toEqual([{ comparison: 'escrow', subject: `trip:${trip}`, kept: 0, replayed: 5 }])
})

test('ledger check: withdrawal missing in the ledger -> found', async () => {
  await database.pool.query('update withdraws set amount = amount + 1')
  expect(await found()).toEqual([
    { comparison: 'payout', subject: 'payout', kept: 20 * unit + 1, replayed: 20 * unit },
  ])
})

test('ledger check: refund and capture missing in the ledger -> found', async () => {
  const [wish, payment] = [uuidv7(), uuidv7()]
  await database.pool.query(
    `insert into top_ups (id, code, uid, amount, currency, created_at) values ($1, 'T', $2, 500, 'UYU', 1)`,
    [wish, person],
  )
  await database.pool.query(
    `insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency, state,
        used_for, created_at, paid_at, opened_at)
      values ($1, 'stripe', false, $2, 'T', 1, 'T-1', $3, 'A B', 500, 'UYU', 'paid', 'top_up', 1, 1, 1)`,
    [payment, wish, person],
  )
  await database.pool.query(
    `insert into refunds (id, at, code, source, payment, provider, rider, rider_name, amount, currency, bearer, reason, state,
        before, look_at, by_user)
      values ($1, 1, 'T', 'card', $2, 'stripe', $3, 'A B', 200, 'UYU', 'wallet', 'why', 'pending', 0, 1, $3)`,
    [uuidv7(), payment, person],
  )
  expect(await found()).toEqual([
    { comparison: 'refund', subject: 'refund', kept: 200, replayed: 0 },
    { comparison: 'provider', subject: 'provider:stripe', kept: -500, replayed: 0 },
  ])
})

test('ledger check: captured amount briefly ahead of its payment attempt -> no difference', async () => {
  const [wish, payment] = [uuidv7(), uuidv7()]
  await database.pool.query(
    `insert into top_ups (id, code, uid, amount, currency, created_at) values ($1, 'T', $2, 500, 'UYU', 1)`,
    [wish, person],
  )
  await database.pool.query(
    `insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency, state,
        created_at, paid_at, opened_at)
      values ($1, 'stripe', false, $2, 'T', 1, 'T-1', $3, 'A B', 500, 'UYU', 'paid', 1, 1, 1)`,
    [payment, wish, person],
  )
  expect(await found()).toEqual([])
  const captured = { provider: 'stripe', amount: 500, payment }
  await createWalletService({ database }).appendOnce([topUp(person, captured)], origin)
  expect(await found()).toEqual([])
  await database.pool.query('update payments set amount = 501')
  expect(await found()).toMatchObject([{ comparison: 'provider', kept: -501, replayed: -500 }])
})
