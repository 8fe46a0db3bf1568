import { expect, it } from 'vitest'
import { driver, start } from '../bookings/booking.fixture.ts'
import { blocksOf, canReceive, driverBlocks } from './driver-blocks.ts'

it('driverBlocks: driver state -> every reason without requests', () => {
  const settings = { negativeBalance: false, driverDebtLimit: 0, now: start }
  expect(blocksOf(driver, settings)).toEqual([])
  const blocked = {
    ...driver,
    approved: false,
    driverActiveStatus: false,
    queue: true,
    carType: null,
    walletBalance: -1,
  }
  const later = { ...settings, now: start + 120_001 }
  expect(blocksOf(blocked, later)).toEqual([
    'not_approved',
    'offline',
    'busy',
    'no_location',
    'no_car_type',
    'debt',
  ])
  expect(blocksOf({ ...driver, walletBalance: -1 }, { ...settings, negativeBalance: true })).toEqual([])
  expect(blocksOf({ ...driver, location: null }, settings)).toEqual(['no_location'])
})

it('canReceive: each reason -> only debt lets requests through', () => {
  expect(canReceive([])).toBe(true)
  expect(driverBlocks.filter((block) => canReceive([block]))).toEqual(['debt'])
  expect(canReceive(['busy', 'debt'])).toBe(false)
})
