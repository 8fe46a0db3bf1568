import { readdirSync, readFileSync } from 'node:fs'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { entry, userAccount } from '@hansom/domain/wallet/ledger'
import { adminCredit, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../platform/database/test-database.ts'
import { checkLedger } from '../ledger-check/check-ledger.ts'
import { createTestCity } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

test('migration: database with old debts -> balanced ledger, excess withdrawals refused', async () => {
  const database = await createTestDatabase()
  const own = await createTestCity({ jobs: false, database })
  const { pool } = database
  const at = own.clock.now()
  const from = { at, currency: 'UYU', by: null }
  const rider = await own.addRider()
  const driver = await own.addDriver(pickup)
  const greedy = await own.addRider()
  // A fee before the migration: the driver was credited immediately, the rider has not paid.
  await own.wallet.appendOnce(
    [
      entry('cancellation', 'old:cancellation', null, [
        { account: userAccount(rider.id), amount: -5 * unit },
        { account: userAccount(driver.id), amount: 5 * unit },
      ]),
    ],
    from,
  )
  // Withdrawals larger than the balance.
  await own.wallet.appendOnce([adminCredit(uuidv7(), greedy.id, 300 * unit)], from)
  for (const amount of [100 * unit, 50_000 * unit, 9_000_000_000_000_000]) {
    const id = uuidv7()
    await pool.query(
      `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
        values ($1, $2, 'G', $3, $4, 'x', 'x', 'x', 'UYU')`,
      [id, greedy.id, amount, at],
    )
    await own.wallet.appendOnce([withdrawRequested(id, greedy.id, amount)], from)
  }
  const trip = await own.bookings.create(rider, own.request(), null)
  await own.ask(trip.booking.id, [driver])
  await own.bookings.commands.accept(own.order(driver, trip.booking.id))
  await own.bookings.commands.arrive(own.order(driver, trip.booking.id))
  await pool.query(`update bookings set arrival_received_at = null`)
  await pool.query(
    `insert into settings (value, version) values ('{"negativeBalance": false}', 1)
      on conflict ("only") do update set value = settings.value || excluded.value`,
  )

  const folder = new URL('../../../migrations/', import.meta.url)
  const file = readdirSync(folder).find((name) => name.endsWith('_outstanding_amounts.sql')) ?? ''
  const statements = readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint')
  for (const statement of statements.slice(-3)) await pool.query(statement)

  const settings = await pool.query(`select value ->> 'negativeBalance' as "on" from settings`)
  expect(settings.rows).toEqual([{ on: 'true' }])
  expect(defaultSettings).toMatchObject({ negativeBalance: true, driverDebtLimit: 0 })
  const { rows } = await pool.query('select amount, refused from withdraws order by amount')
  expect(rows.map(({ refused }) => refused)).toEqual([false, true, true])
  expect(await own.balance(greedy)).toBe(200 * unit)
  expect(await own.balance(driver)).toBe(5 * unit)
  expect((await own.bookings.outstanding(rider)).total).toBe(5 * unit)
  expect((await own.bookings.get(rider, trip.booking.id)).booking.arrival_received_at).toBe(at)
  expect((await checkLedger(pool)).differences).toEqual([])
  await own.close()
  await database.close()
})
