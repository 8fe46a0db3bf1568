import { describe, expect, it } from 'vitest'
import { booking, settings } from '../booking/booking.fixture.ts'
import type { Booking } from '../booking/booking.ts'
import { bookingStatuses, contactStatuses, isOneOf } from '../booking/status.ts'
import { bookingFields, innerFields } from './booking-fields.ts'
import { type Action, can, permissions } from './permissions.ts'
import { type BookingPeople, type Person, relations, relationTo } from './relation.ts'
import { commandsOf, visibleBooking } from './visible-booking.ts'

const people: BookingPeople = { customer: 'r', driver: 'd', fleetadmin: 'f', requested: ['q'] }
const persons: Person[] = [
  { id: 'r', usertype: 'rider' },
  { id: 'd', usertype: 'driver' },
  { id: 'q', usertype: 'driver' },
  { id: 'f', usertype: 'fleetadmin' },
  { id: 'a', usertype: 'admin' },
]
const strangers: (Person | null)[] = [
  null,
  { id: 'x', usertype: 'rider' },
  { id: 'x', usertype: 'driver' },
  { id: 'x', usertype: 'fleetadmin' },
  // An id alone is not enough: the user type must fit.
  { id: 'r', usertype: 'driver' },
  { id: 'd', usertype: 'rider' },
  { id: 'q', usertype: 'fleetadmin' },
  { id: 'f', usertype: 'driver' },
]

it('knows what a person is to a booking', () => {
  expect(persons.map((person) => relationTo(people, person))).toEqual([
    'rider',
    'driver',
    'requested',
    'fleetadmin',
    'admin',
  ])
  expect(strangers.map((person) => relationTo(people, person))).toEqual(strangers.map(() => null))
})

describe('can', () => {
  const started = { ...people, status: 'STARTED' as const }
  const names = (action: Action, status = started) =>
    persons.filter((person) => can(person, action, status)).map((person) => person.id)

  it('follows the table', () => {
    expect(names('booking.see')).toEqual(['r', 'd', 'q', 'f', 'a'])
    expect(names('booking.track')).toEqual(['r', 'd', 'f', 'a'])
    expect(names('booking.track', { ...people, status: 'REACHED' } as unknown as typeof started)).toEqual([])
    expect(names('booking.events')).toEqual(['f', 'a'])
    expect(names('booking.create')).toEqual(['r', 'a'])
    expect(names('topic.requests')).toEqual(['d', 'q'])
    expect(names('topic.booking')).toEqual(['r', 'd', 'q', 'f', 'a'])
  })

  it('keeps strangers out of every booking, and visitors out of all but the settings', () => {
    for (const action of Object.keys(permissions) as Action[]) {
      expect(can(null, action, started)).toBe(action === 'topic.settings')
      if (!('relations' in permissions[action])) continue
      for (const stranger of strangers) expect(can(stranger, action, started)).toBe(false)
      expect(can({ id: 'a', usertype: 'admin' }, action)).toBe(false)
    }
  })
})

describe('visible fields', () => {
  const whole: Booking = {
    ...booking,
    driver: 'd',
    driver_contact: '+1',
    customer_contact: '+2',
    otp: '12345',
    fleetadmin: 'f',
  }

  it('decides about every field of a booking', () => {
    expect([...Object.keys(bookingFields), ...innerFields].sort()).toEqual(Object.keys(whole).sort())
  })

  it('shows the trip code to the rider alone, until the trip starts', () => {
    for (const status of bookingStatuses) {
      for (const viewer of relations) {
        const isShown = viewer === 'rider' && ['NEW', 'ACCEPTED', 'ARRIVED'].includes(status)
        expect(visibleBooking({ ...whole, status }, viewer).otp).toBe(isShown ? '12345' : null)
      }
    }
  })

  it('shows contacts to rider and driver only while the trip is active', () => {
    for (const status of bookingStatuses) {
      const isActive = isOneOf(contactStatuses, status)
      for (const viewer of relations) {
        const view = visibleBooking({ ...whole, status }, viewer)
        expect(view.driver_contact).toBe(isActive && viewer === 'rider' ? '+1' : null)
        expect(view.customer_contact).toBe(isActive && viewer === 'driver' ? '+2' : null)
      }
    }
  })

  it('tells a requested driver nothing of the rider', () => {
    const view = visibleBooking(whole, 'requested')
    expect([view.customer, view.customer_name, view.customer_email, view.customer_image]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(view.trip_cost).toBe(whole.trip_cost)
  })

  it('shows each side its own money', () => {
    const paid = { ...whole, discount_amount: 20, customer_paid: 90, usedWalletMoney: 30 }
    expect(visibleBooking(paid, 'rider')).toMatchObject({
      discount_amount: 20,
      customer_paid: 90,
      usedWalletMoney: 30,
      driver_share: null,
      convenience_fees: null,
    })
    expect(visibleBooking(paid, 'driver')).toMatchObject({
      trip_cost: whole.trip_cost,
      driver_share: whole.driver_share,
      convenience_fees: whole.convenience_fees,
      discount_amount: 0,
      customer_paid: 0,
      usedWalletMoney: 0,
    })
  })
})

describe('commandsOf', () => {
  it('offers what the facts allow', () => {
    expect(commandsOf(booking, 'requested', settings)).toEqual(['decline', 'accept'])
    expect(commandsOf(booking, 'driver', settings)).toEqual([])
    expect(commandsOf(booking, 'fleetadmin', settings)).toEqual([])
    expect(commandsOf(booking, 'rider', settings)).toEqual(['choose_payment', 'cancel'])
    expect(commandsOf({ ...booking, prepaid: true }, 'rider', settings)).toEqual(['cancel'])
    expect(commandsOf(booking, 'admin', settings)).toEqual(['cancel'])
    expect(commandsOf(booking, 'admin', { autoDispatch: false })).toEqual(['assign_driver', 'cancel'])
    const paid: Booking = { ...booking, status: 'PAID' }
    expect(commandsOf(paid, 'driver', settings)).toEqual(['rate_rider'])
    expect(commandsOf({ ...paid, rider_rating: 4 }, 'driver', settings)).toEqual([])
  })
})
