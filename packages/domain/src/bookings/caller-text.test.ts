import { describe, expect, test } from 'vitest'
import { callerTextFor } from './caller-text.ts'

const office = { booking_type_admin: true, rebooked_as: null }
const driver = { role: 'driver' } as const
const admin = { role: 'admin' } as const

describe('callerTextFor', () => {
  test.each([
    ['accepted', { command: 'accept', from: 'NEW', to: 'ACCEPTED', by: driver }],
    ['arrived', { command: 'arrive', from: 'ACCEPTED', to: 'ARRIVED', by: driver }],
    ['no_driver', { command: 'find_no_driver', from: 'NEW', to: 'CANCELLED', by: { role: 'system' } }],
    ['replaced', { command: 'withdraw_driver', from: 'ACCEPTED', to: 'NEW', by: admin }],
    ['replaced', { command: 'assign_driver', from: 'ARRIVED', to: 'NEW', by: admin }],
    ['cancelled', { command: 'cancel', from: 'ACCEPTED', to: 'CANCELLED', by: admin }],
    [null, { command: 'cancel', from: 'ACCEPTED', to: 'CANCELLED', by: { role: 'rider' } }],
    ['changed', { command: 'change', from: 'NEW', to: 'NEW', by: admin }],
    ['changed', { command: 'change', from: 'ARRIVED', to: 'ACCEPTED', by: admin }],
    [null, { command: 'change', from: 'STARTED', to: 'STARTED', by: { role: 'rider' } }],
    [null, { command: 'assign_driver', from: 'NEW', to: 'NEW', by: admin }],
    [null, { command: 'start', from: 'ARRIVED', to: 'STARTED', by: driver }],
    [null, { command: 'take_over', from: 'ACCEPTED', to: 'ACCEPTED', by: { role: 'rider' } }],
  ] as const)('%s: %o', (text, change) => {
    expect(callerTextFor(office, change)).toBe(text)
  })

  test('driver cancels and the trip is booked again -> replaced', () => {
    const change = { command: 'cancel', from: 'ACCEPTED', to: 'CANCELLED', by: driver } as const
    expect(callerTextFor({ ...office, rebooked_as: 'next' }, change)).toBe('replaced')
  })

  test('booked by the rider -> none, unless they want texts', () => {
    const change = { command: 'accept', from: 'NEW', to: 'ACCEPTED', by: driver } as const
    const own = { ...office, booking_type_admin: false }
    expect(callerTextFor(own, change)).toBeNull()
    expect(callerTextFor(own, change, true)).toBe('accepted')
  })
})
