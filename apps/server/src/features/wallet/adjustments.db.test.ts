import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { checkLedger } from '../ledger-check/check-ledger.ts'
import { type Adjustments, createAdjustments } from './adjustments.ts'

let city: TestCity
let adjustments: Adjustments
let admin: { id: string }
beforeAll(async () => {
  city = await createTestCity()
  adjustments = createAdjustments({ ...city, settings: { current: async () => city.settings } })
  admin = await city.addAdmin()
})
afterAll(async () => {
  const { differences } = await checkLedger(city.database.pool)
  await city.close()
  expect(differences).toEqual([])
})

const input = (uid: string, amount: number) => ({ uid, amount: amount * unit, reason: 'A gift' })

describe('wallet adjustments', () => {
  test('credit and debit -> balance, list with names and reason', async () => {
    const driver = await city.addDriver()
    const credit = await adjustments.credit(admin.id, input(driver.id, 50), null)
    expect(credit).toMatchObject({ amount: 50 * unit, before: 0, after: 50 * unit })
    const debit = await adjustments.debit(admin.id, input(driver.id, 20), null)
    expect(debit).toMatchObject({ amount: -20 * unit, before: 50 * unit, after: 30 * unit })
    const { items } = await adjustments.list(undefined)
    expect(items.slice(0, 2).map(({ id, amount, reason }) => ({ id, amount, reason }))).toEqual([
      { id: debit.id, amount: -20 * unit, reason: 'A gift' },
      { id: credit.id, amount: 50 * unit, reason: 'A gift' },
    ])
    expect(items[0]?.name).not.toBe('')
  })

  test('same key three times at once -> one credit', async () => {
    const driver = await city.addDriver()
    const made = await Promise.all(
      [1, 2, 3].map(() => adjustments.credit(admin.id, input(driver.id, 50), 'one key')),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await city.balance(driver)).toBe(50 * unit)
  })

  test('two debits at once of more than half the balance -> one, the other is low_wallet', async () => {
    const driver = await city.addDriver()
    await adjustments.credit(admin.id, input(driver.id, 50), null)
    const results = await Promise.allSettled(
      [1, 2].map(() => adjustments.debit(admin.id, input(driver.id, 30), null)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = results.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { key: 'low_wallet' } })
    expect(await city.balance(driver)).toBe(20 * unit)
  })

  test('reversal twice at once -> once, also below zero; a debit comes back', async () => {
    const driver = await city.addDriver()
    const credit = await adjustments.credit(admin.id, input(driver.id, 50), null)
    const debit = await adjustments.debit(admin.id, input(driver.id, 40), null)
    const twice = await Promise.allSettled(
      [1, 2].map(() => adjustments.reverse(admin.id, credit.id, 'typed wrong', null)),
    )
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { key: 'wrong_status' },
    })
    expect(await city.balance(driver)).toBe(-40 * unit)
    expect(await adjustments.reverse(admin.id, debit.id, 'typed wrong', null)).toMatchObject({
      reversal_reason: 'typed wrong',
    })
    expect(await city.balance(driver)).toBe(0)
  })

  test('no reason, nothing, an admin’s wallet, unknown id, wrong cursor -> refused', async () => {
    const driver = await city.addDriver()
    const { uid } = input(driver.id, 1)
    const keyOf = (call: Promise<unknown>) => call.catch(({ key }: { key: string }) => key)
    const { credit, reverse } = adjustments
    expect(await keyOf(credit(admin.id, { uid, amount: unit, reason: '' }, null))).toBe('reason_needed')
    expect(await keyOf(credit(admin.id, input(uid, 0), null))).toBe('no_details_error')
    expect(await keyOf(credit(admin.id, input(admin.id, 1), null))).toBe('not_valid_user_type')
    expect(await keyOf(reverse(admin.id, driver.id, 'typed wrong', null))).toBe('not_found')
    expect(await keyOf(adjustments.list('none'))).toBe('invalid_input')
  })
})
