import { unit } from '@hansom/domain/money/amount'
import { entry, userAccount } from '@hansom/domain/wallet/ledger'
import { adminCredit, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { createWalletService, type WalletService } from './service.ts'

let database: TestDatabase
let wallet: WalletService
const origin = { at: 1, currency: 'UYU', by: null }

beforeAll(async () => {
  database = await createTestDatabase()
  wallet = createWalletService({ database })
})
afterAll(() => database.close())

async function personWith(balance: number): Promise<string> {
  const id = uuidv7()
  await database.pool.query(
    `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
      values ($1, 0, 'A', 'B', $2::text, 'rider', true, $2::text)`,
    [id, `${id}@example.test`],
  )
  if (balance !== 0) await wallet.appendOnce([adminCredit(uuidv7(), id, balance)], origin)
  return id
}

const ask = (user: string, amount: number) =>
  database.withTransaction((tx) =>
    wallet.append(tx, [withdrawRequested(uuidv7(), user, amount)], origin, [user]),
  )

test('append: twenty concurrent payments -> never below zero, none is lost', async () => {
  const user = await personWith(100 * unit)
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => ask(user, 30 * unit)))
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.key] : []))
  expect(refused).toEqual(Array.from({ length: 17 }, () => 'low_wallet'))
  expect((await wallet.history(user, undefined)).balance).toBe(10 * unit)
  const legs = await database.pool.query(
    'select balance from ledger_legs where user_id = $1 order by entry_id',
    [user],
  )
  expect(legs.rows.map((leg) => leg.balance / unit).sort((a, b) => b - a)).toEqual([100, 70, 40, 10])
})

test('append: several legs of one person -> each has the balance after it', async () => {
  const [ann, bob] = [await personWith(10), await personWith(0)]
  const entries = [
    entry('settlement', uuidv7(), null, [
      { account: userAccount(ann), amount: -7 },
      { account: userAccount(bob), amount: 5 },
      { account: 'platform', amount: 3 },
      { account: userAccount(bob), amount: -1 },
    ]),
    entry('settlement', uuidv7(), null, [
      { account: userAccount(bob), amount: 20 },
      { account: userAccount(ann), amount: -2 },
      { account: 'platform', amount: -18 },
    ]),
  ]
  await wallet.appendOnce(entries, origin)
  const { rows } = await database.pool.query(
    `select e.key, l.position, l.account, l.balance from ledger_legs l join ledger_entries e on e.id = l.entry_id
      where e.key = any($1) order by array_position($1, e.key), l.position`,
    [entries.map(({ key }) => key)],
  )
  expect(rows.map(({ account, balance }) => [account, balance])).toEqual([
    [userAccount(ann), 3],
    [userAccount(bob), 5],
    ['platform', null],
    [userAccount(bob), 4],
    [userAccount(bob), 24],
    [userAccount(ann), 1],
    ['platform', null],
  ])
  expect([await wallet.history(ann, undefined), await wallet.history(bob, undefined)]).toMatchObject([
    { balance: 1 },
    { balance: 24 },
  ])
})

test('append: concurrent entries across two users in both directions -> no deadlock', async () => {
  const [ann, bob] = [await personWith(0), await personWith(0)]
  const swap = (from: string, to: string) =>
    wallet.appendOnce([adminCredit(uuidv7(), from, -1), adminCredit(uuidv7(), to, 1)], origin)
  await Promise.all(Array.from({ length: 40 }, (_, round) => (round % 2 ? swap(ann, bob) : swap(bob, ann))))
  const balances = await Promise.all(
    [ann, bob].map(async (id) => (await wallet.history(id, undefined)).balance),
  )
  expect(balances).toEqual([0, 0])
})

test('appendOnce: same entry three times at once -> written once', async () => {
  const user = await personWith(0)
  const credit = adminCredit('11111111-0000-7000-8000-000000000001', user, 5)
  const written = await Promise.all([1, 2, 3].map(() => wallet.appendOnce([credit], origin)))
  expect(written.filter(Boolean)).toHaveLength(1)
  expect((await wallet.history(user, undefined)).balance).toBe(5)
})

test('history: more than a page -> cursor continues, newest first', async () => {
  const user = await personWith(0)
  for (let n = 1; n <= 35; n++) await wallet.appendOnce([adminCredit(uuidv7(), user, n)], origin)
  const first = await wallet.history(user, undefined)
  expect(first.items).toHaveLength(30)
  expect(first.items[0]).toMatchObject({ type: 'Credit', amount: 35, txRef: 'AdminCredit' })
  const rest = await wallet.history(user, first.next ?? undefined)
  expect(rest.items.map((item) => item.amount)).toEqual([5, 4, 3, 2, 1])
  expect(rest.next).toBe(null)
  await expect(wallet.history(user, 'x')).rejects.toMatchObject({ key: 'invalid_input' })
})
