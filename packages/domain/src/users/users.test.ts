import { describe, expect, it } from 'vitest'
import { type DriverState, isEligible, mayCollect } from './eligibility.ts'
import { driverFields, userTextProblem } from './field-views.ts'
import { averageRating, isRate, referralId, savedAddressesAfter } from './profile.ts'

const driver: DriverState = {
  id: 'd',
  usertype: 'driver',
  approved: true,
  queue: false,
  driverActiveStatus: true,
  location: { lat: -34.9, lng: -56.2 },
  located_at: 1_000_000,
  carType: 'Economy',
  walletBalance: 0,
}

describe('eligible drivers', () => {
  it('free, active, approved, with a location -> eligible', () => {
    expect(isEligible(driver)).toBe(true)
    expect(isEligible(driver, 'Economy')).toBe(true)
  })

  it.each([
    { usertype: 'rider' as const },
    { usertype: 'admin' as const },
    { approved: false },
    { queue: true },
    { driverActiveStatus: false },
    { location: null },
    { carType: 'Comfort' },
    { carType: null },
  ])('%o -> not eligible', (difference) => {
    expect(isEligible({ ...driver, ...difference }, 'Economy')).toBe(false)
  })

  it('driver in debt -> no cash trips, unless debts are allowed', () => {
    const strict = { negativeBalance: false, driverDebtLimit: 0 }
    const limited = { negativeBalance: true, driverDebtLimit: 50 }
    expect(mayCollect(0, { ...strict, payment_mode: 'cash' })).toBe(true)
    expect(mayCollect(-1, { ...strict, payment_mode: 'cash' })).toBe(false)
    expect(mayCollect(-1, { ...strict, payment_mode: 'wallet' })).toBe(true)
    expect(mayCollect(-1_000, { ...limited, driverDebtLimit: 0, payment_mode: 'cash' })).toBe(true)
    expect(mayCollect(-50, { ...limited, payment_mode: 'cash' })).toBe(true)
    expect(mayCollect(-51, { ...limited, payment_mode: 'cash' })).toBe(false)
  })
})

it('referralId: name and method -> the id', () => {
  expect(referralId('María', 0)).toBe('maría1000')
  expect(referralId('Ana', 0.9999999)).toBe('ana9999')
  expect(referralId(null, 0.5, 'facebook')).toBe('temp5500')
  expect(referralId('Ana', 0, 'apple')).toBe('rider1000')
})

describe('saved addresses', () => {
  const home = { description: 'Rivera 1', label: 'Home', lat: -34.9, lng: -56.2, count: 3 }
  const north = (metres: number) => ({ lat: -34.9 + metres / 111_195, lng: -56.2, add: 'There' })

  it('place within 100 m -> counted; farther away -> added', () => {
    expect(savedAddressesAfter([home], north(99))).toEqual([{ ...home, count: 4 }])
    const far = north(101)
    expect(savedAddressesAfter([home], far)).toEqual([
      home,
      { description: 'There', label: null, lat: far.lat, lng: far.lng, count: 1 },
    ])
  })

  it('several nearby -> the nearest is counted, the input is unchanged', () => {
    const near = { ...home, description: 'Near', lat: north(60).lat, count: 1 }
    const list = [home, near]
    expect(savedAddressesAfter(list, north(50)).map((one) => one.count)).toEqual([3, 2])
    expect(list.map((one) => one.count)).toEqual([3, 1])
  })
})

it('averageRating: ratings -> to one decimal', () => {
  expect(averageRating(0, 0)).toBe(0)
  expect(averageRating(13, 3)).toBe(4.3)
  expect(averageRating(17, 4)).toBe(4.3)
  expect([0, 1, 5, 6, 2.5, Number.NaN].filter(isRate)).toEqual([1, 5])
})

it.each([
  ['firstName', ' ', 'rider', 'proper_input_name'],
  ['firstName', 'Ana', 'rider', null],
  ['preferredName', null, 'driver', null],
  ['vehicleNumber', '', 'driver', 'required'],
  ['vehicleNumber', 'SBX 1', 'driver', null],
  ['vehicleNumber', null, 'rider', null],
  ['other_info', null, 'driver', null],
] as const)('userTextProblem: %s %j of a %s -> %s', (field, text, usertype, problem) => {
  expect(userTextProblem(field, text, usertype)).toBe(problem)
})

it('driverFields: what the register screen requires of drivers', () => {
  expect(driverFields).toEqual(['carType', 'vehicleMake', 'vehicleModel', 'vehicleNumber', 'licenseImage'])
})
