import { expect, it } from 'vitest'
import { driver, start } from '../bookings/booking.fixture.ts'
import {
  blocksOf,
  canReceive,
  currentBlocks,
  driverBlocks,
  freeReportMs,
  isOfAccount,
  isOnline,
} from './driver-blocks.ts'

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

it.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
])('isOnline: switch %s, approved %s -> %s', (driverActiveStatus, approved, online) => {
  expect(isOnline({ driverActiveStatus, approved })).toBe(online)
})

it('isOfAccount: each reason -> only those that an admin changes', () => {
  expect(driverBlocks.filter(isOfAccount)).toEqual(['not_approved', 'no_car_type'])
})

const online = { driverActiveStatus: true, approved: true, blocked: [], fetchedAt: start }
const unlocated = { ...online, blocked: ['no_location', 'debt'] as const }

it.each([
  ['no position on the device', ['no_location'], online, null],
  ['position on both', [], online, start - 60_000],
  ['state fetched before the device found its position', ['debt'], unlocated, start + 1],
  ['state fetched before the first report', ['debt'], unlocated, start - freeReportMs + 1],
  ['position not reported in its interval', ['no_location', 'debt'], unlocated, start - freeReportMs],
  ['switched off on the device', ['offline', 'debt'], { ...unlocated, driverActiveStatus: false }, null],
  ['switched on on the device', ['busy'], { ...online, blocked: ['offline', 'busy'] }, start],
  [
    'not approved',
    ['not_approved', 'offline'],
    { ...online, approved: false, blocked: ['not_approved'] },
    null,
  ],
] as const)('currentBlocks: %s -> %j', (_case, blocks, state, fixedSince) => {
  expect(currentBlocks(state, fixedSince)).toEqual(blocks)
})
