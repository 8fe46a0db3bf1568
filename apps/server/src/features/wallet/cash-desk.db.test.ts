import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { checkLedger } from '../ledger-check/check-ledger.ts'
import { createCashDesk } from './cash-desk.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity()
})
afterAll(async () => {
  const { differences } = await checkLedger(city.database.pool)
  await city.close()
  expect(differences).toEqual([])
})

describe('cash desk', () => {
  test('receipt of an account deleted since -> can be reversed', async () => {
    const desk = createCashDesk({ ...city, settings: { current: async () => city.settings } })
    const admin = await city.addAdmin()
    const driver = await city.addDriver()
    const input = { uid: driver.id, amount: 15 * unit, note: '' }
    const { id } = await desk.receive(admin.id, input, null)
    await city.database.pool.query('update users set deleted_at = $2, approved = false where id = $1', [
      driver.id,
      city.clock.now(),
    ])
    expect(await desk.reverse(admin.id, id, 'typed wrong', null)).toMatchObject({ reason: 'typed wrong' })
    expect(await city.balance(driver)).toBe(0)
    await expect(desk.receive(admin.id, input, null)).rejects.toMatchObject({ key: 'not_found' })
  })

  test('repeated and concurrent requests -> one receipt per key, one reversal, banks no more than it holds', async () => {
    const desk = createCashDesk({ ...city, settings: { current: async () => city.settings } })
    const admin = await city.addAdmin()
    const driver = await city.addDriver()
    const input = { uid: driver.id, amount: 15 * unit, note: '' }
    const receipts = await Promise.all([1, 2, 3].map(() => desk.receive(admin.id, input, 'one key')))
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1)
    expect(await city.balance(driver)).toBe(15 * unit)
    const [receipt] = receipts
    const other = await desk.receive(admin.id, { ...input, amount: 5 * unit }, null)
    expect((await desk.list(undefined)).held).toBe(20 * unit)
    const banked = await Promise.allSettled(
      [1, 2].map(() => desk.bank(admin.id, { amount: 15 * unit, note: '' }, null)),
    )
    expect(banked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(desk.reverse(admin.id, receipt?.id ?? '', 'typed wrong', null)).rejects.toMatchObject({
      key: 'cash_desk_short',
    })
    const twice = await Promise.allSettled(
      [1, 2].map(() => desk.reverse(admin.id, other.id, 'typed wrong', null)),
    )
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await city.balance(driver)).toBe(15 * unit)
  })

  test('receipt from an admin or fleet admin -> not_valid_user_type', async () => {
    const desk = createCashDesk({ ...city, settings: { current: async () => city.settings } })
    const admin = await city.addAdmin()
    const fleet = await city.addUserOf('fleetadmin')
    for (const { id } of [admin, fleet]) {
      const input = { uid: id, amount: unit, note: '' }
      await expect(desk.receive(admin.id, input, null)).rejects.toMatchObject({ key: 'not_valid_user_type' })
    }
  })
})
