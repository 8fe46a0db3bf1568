import type { DriverEarning } from '@hansom/contract/reports'
import { expect, test } from 'vitest'
import { groupRows, type Loaded } from './group-rows.ts'

const earning = (driver: string, year: number | null, month: number | null): DriverEarning => ({
  driver,
  year,
  month,
  monthsName: null,
  driverName: driver,
  driverVehicleNo: null,
  total_rides: 1,
  driverShare: 1,
  cancellationFees: 0,
  bonus: 0,
  refund: 0,
  earned: 1,
})
const months = [
  { year: 2026, month: 11 },
  { year: 2026, month: 10 },
]
const ids = (...input: Parameters<typeof groupRows>) => groupRows(...input).map(({ id }) => id)
const page = (rows: DriverEarning[], next: string | null): Loaded => ({ rows, next, failed: false })

test('nothing loaded -> every month with a placeholder row', () => {
  expect(ids('month', months, new Map())).toEqual(['more 2026-11', 'more 2026-10'])
})

test('month partly loaded -> placeholder after its rows; complete -> none', () => {
  const loaded = new Map([
    ['2026-11', page([earning('ana', 2026, 11)], 'next')],
    ['2026-10', page([earning('ana', 2026, 10), earning('bea', 2026, 10)], null)],
  ])
  expect(ids('year', months, loaded)).toEqual(['ana 2026 11', 'more 2026-11', 'ana 2026 10', 'bea 2026 10'])
})

test('drivers loaded by page -> each with their months', () => {
  expect(ids('driver', months, new Map())).toEqual(['more drivers'])
  const loaded = new Map([
    ['drivers', page([earning('ana', null, null), earning('bea', null, null)], 'next')],
    ['ana', page([earning('ana', 2026, 11)], null)],
  ])
  expect(ids('driver', months, loaded)).toEqual(['ana 2026 11', 'more bea', 'more drivers'])
  loaded.set('drivers', page([earning('ana', null, null)], null))
  expect(ids('driver', months, loaded)).toEqual(['ana 2026 11'])
})
