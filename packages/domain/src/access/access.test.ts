import { describe, expect, it } from 'vitest'
import { booking, settings } from '../bookings/booking.fixture.ts'
import type { Booking } from '../bookings/booking.ts'
import { bookingFields, viewFields, visibleFields } from '../bookings/fields.ts'
import { bookingStatuses, contactStatuses, endedStatuses, isOneOf } from '../bookings/status.ts'
import { transitions } from '../bookings/transitions.ts'
import { maySeeField, unwritable } from '../users/field-views.ts'
import { roles } from '../users/roles.ts'
import { hiddenForDemo } from './mask-contacts.ts'
import { type Action, can, permissions } from './permissions.ts'
import {
  type Actor,
  type BookingParties,
  relations,
  relationTo,
  userRelations,
  userRelationTo,
} from './relation.ts'
import { type RouteName, type RouteRule, routeRefusal, routes } from './routes.ts'
import { homeOf, mayOpen, screenAt } from './screens.ts'
import { userCommandsOf } from './user-commands.ts'
import { commandsOf, visibleBooking } from './visible-booking.ts'

const people: BookingParties = { customer: 'r', driver: 'd', fleetadmin: 'f', requested: ['q'] }
const persons: Actor[] = [
  { id: 'r', role: 'rider', approved: true },
  { id: 'd', role: 'driver', approved: true },
  { id: 'q', role: 'driver', approved: true },
  { id: 'f', role: 'fleetadmin', approved: true },
  { id: 'a', role: 'admin', approved: true },
]
const strangers: (Actor | null)[] = [
  null,
  { id: 'x', role: 'rider', approved: true },
  { id: 'x', role: 'driver', approved: true },
  { id: 'x', role: 'fleetadmin', approved: true },
  // The id is not sufficient: the user type must match.
  { id: 'r', role: 'driver', approved: true },
  { id: 'd', role: 'rider', approved: true },
  { id: 'q', role: 'fleetadmin', approved: true },
  { id: 'f', role: 'driver', approved: true },
]

it('relationTo: parties and admin -> their relation, strangers -> null', () => {
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

  it('each relation -> the actions of the table', () => {
    expect(names('booking.see')).toEqual(['r', 'd', 'q', 'f', 'a'])
    expect(names('booking.track')).toEqual(['r', 'd', 'f', 'a'])
    expect(names('booking.track', { ...people, status: 'REACHED' } as unknown as typeof started)).toEqual([])
    expect(names('booking.events')).toEqual(['f', 'a'])
    expect(names('booking.create')).toEqual(['r', 'a'])
    expect(names('topic.requests')).toEqual(['d', 'q'])
    expect(names('topic.booking')).toEqual(['r', 'd', 'q', 'f', 'a'])
  })

  it("stranger -> no booking, visitor -> the landing page's topics only", () => {
    const forEverybody: Action[] = ['topic.settings', 'topic.carTypes', 'topic.cancelReasons']
    for (const action of Object.keys(permissions) as Action[]) {
      expect(can(null, action, started)).toBe(forEverybody.includes(action))
      if (!('relations' in permissions[action])) continue
      for (const stranger of strangers) expect(can(stranger, action, started)).toBe(false)
      expect(can({ id: 'a', role: 'admin', approved: true }, action)).toBe(false)
    }
  })
})

describe('visible fields', () => {
  const open = { AllowCriticalEditsAdmin: true }
  const full: Booking = {
    ...booking,
    driver: 'd',
    driver_contact: '+1',
    customer_contact: '+2',
    note: 'Blue door',
    otp: '12345',
    fleetadmin: 'f',
  }

  it('every field of a booking -> stored, calculated, or internal', () => {
    const isStored = (field: string) => Object.hasOwn(full, field)
    const fields = Object.keys(bookingFields)
    expect(fields.filter(isStored).sort()).toEqual(Object.keys(full).sort())
    expect(viewFields.filter(isStored)).toEqual(visibleFields)
    expect(fields.filter((field) => !viewFields.some((one) => one === field))).toEqual([
      'fare_rule',
      'cancel_slab',
      'call_number',
      'otp_tries',
      'contested_amount',
      'promo_id',
      'convert_to_mile',
      'excluded_drivers',
      'wave',
    ])
  })

  it('trip code until the trip starts -> shown to the rider, and to admins for bookings they made', () => {
    for (const status of bookingStatuses) {
      for (const viewer of relations) {
        for (const booking_type_admin of [true, false]) {
          const isTold = viewer === 'rider' || (viewer === 'admin' && booking_type_admin)
          const isShown = isTold && ['NEW', 'ACCEPTED', 'ARRIVED'].includes(status)
          const view = visibleBooking({ ...full, status, booking_type_admin }, viewer, open)
          expect(view.otp).toBe(isShown ? '12345' : null)
        }
      }
    }
  })

  it('contacts -> shown to rider, driver and admins only while the trip is active', () => {
    for (const status of bookingStatuses) {
      const isActive = isOneOf(contactStatuses, status)
      for (const viewer of relations) {
        const view = visibleBooking({ ...full, status }, viewer, open)
        const isOpen = !isOneOf(endedStatuses, status)
        const seesDriver = isActive && (viewer === 'rider' || viewer === 'admin')
        const seesRider = (isActive && viewer === 'driver') || (isOpen && viewer === 'admin')
        expect(view.driver_contact).toBe(seesDriver ? '+1' : null)
        expect(view.customer_contact).toBe(seesRider ? '+2' : null)
        const seesNote = viewer === 'rider' || viewer === 'admin' || (viewer === 'driver' && isActive)
        expect(view.note).toBe(seesNote ? 'Blue door' : null)
      }
    }
  })

  it('contacts on a demo -> hidden from admins only', () => {
    const reached = { ...full, customer_email: 'r@x.test', status: 'STARTED' as const }
    const seen = (viewer: (typeof relations)[number], AllowCriticalEditsAdmin: boolean) => {
      const view = visibleBooking(reached, viewer, { AllowCriticalEditsAdmin })
      return [view.customer_email, view.customer_contact, view.driver_contact]
    }
    expect(seen('admin', true)).toEqual(['r@x.test', '+2', '+1'])
    expect(seen('admin', false)).toEqual([hiddenForDemo, hiddenForDemo, hiddenForDemo])
    expect(seen('fleetadmin', false)).toEqual([null, null, null])
    for (const viewer of ['rider', 'driver', 'requested'] as const) {
      expect(seen(viewer, false)).toEqual(seen(viewer, true))
    }
  })

  it('requested driver -> sees nothing about the rider', () => {
    const view = visibleBooking(full, 'requested', open)
    expect([view.customer, view.customer_name, view.customer_email, view.customer_image]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(view.trip_cost).toBe(full.trip_cost)
  })

  it('amounts -> each side sees its own', () => {
    const paid = { ...full, discount_amount: 20, customer_paid: 90, usedWalletMoney: 30 }
    expect(visibleBooking(paid, 'rider', open)).toMatchObject({
      discount_amount: 20,
      customer_paid: 90,
      usedWalletMoney: 30,
      driver_share: null,
      convenience_fees: full.convenience_fees,
    })
    expect(visibleBooking(paid, 'driver', open)).toMatchObject({
      trip_cost: full.trip_cost,
      driver_share: full.driver_share,
      convenience_fees: full.convenience_fees,
      discount_amount: 0,
      customer_paid: 0,
      usedWalletMoney: 0,
    })
  })
})

describe('commandsOf', () => {
  it('status, role and settings -> the commands they allow', () => {
    expect(commandsOf(booking, 'requested', settings, 0)).toEqual(['decline', 'accept'])
    expect(commandsOf(booking, 'driver', settings, 0)).toEqual([])
    expect(commandsOf(booking, 'fleetadmin', settings, 0)).toEqual([])
    expect(commandsOf(booking, 'rider', settings, 0)).toEqual(['change', 'choose_payment', 'cancel'])
    expect(commandsOf({ ...booking, prepaid: true }, 'rider', settings, 0)).toEqual(['change', 'cancel'])
    expect(commandsOf(booking, 'admin', settings, 0)).toEqual([
      'assign_driver',
      'change',
      'choose_payment',
      'cancel',
    ])
    expect(commandsOf(booking, 'admin', settings, 0, 2)).toEqual([
      'assign_driver',
      'withdraw_driver',
      'change',
      'choose_payment',
      'cancel',
    ])
    const guarded = { ...settings, AllowCriticalEditsAdmin: false }
    expect(commandsOf(booking, 'rider', guarded, 0)).toEqual(['change', 'choose_payment'])
    expect(commandsOf(booking, 'admin', guarded, 0)).toEqual(['assign_driver', 'change', 'choose_payment'])
    expect(commandsOf({ ...booking, status: 'ACCEPTED' }, 'driver', guarded, 0)).toContain('cancel')
    const paid: Booking = { ...booking, status: 'PAID' }
    expect(commandsOf(paid, 'driver', settings, 0)).toEqual(['rate_rider'])
    expect(commandsOf({ ...paid, rider_rating: 4 }, 'driver', settings, 0)).toEqual([])
  })
})

describe('route refusal', () => {
  const everyType: (Actor | null)[] = [
    null,
    { id: 'w', role: 'rider', approved: false },
    ...persons.map((person) => ({ ...person, approved: true })),
  ]
  const refusals = (name: RouteName) =>
    everyType.map((caller) => {
      const rule: RouteRule = routes[name]
      const relation =
        caller && ('user' in rule ? userRelationTo(driverOfF, caller) : relationTo(people, caller))
      return routeRefusal(rule, caller, relation)
    })
  const driverOfF = { id: 'd', usertype: 'driver' as const, fleetadmin: 'f' }

  it('signed out, unapproved, rider, driver, asked driver, fleet admin, admin -> refused by the rule', () => {
    expect(refusals('places.search')).toEqual([null, null, null, null, null, null, null])
    expect(refusals('users.wallet')).toEqual(['not_logged_in', null, null, null, null, null, null])
    expect(refusals('bookings.get')).toEqual([
      'not_logged_in',
      'require_approval',
      null,
      null,
      null,
      null,
      null,
    ])
    const stranger = 'not_found'
    const signInRefusals = ['not_logged_in', 'require_approval'] as const
    expect(refusals('bookings.rate')).toEqual([
      ...signInRefusals,
      null,
      stranger,
      stranger,
      stranger,
      stranger,
    ])
    expect(refusals('bookings.reach')).toEqual([...signInRefusals, stranger, null, null, stranger, null])
    expect(refusals('users.update')).toEqual([...signInRefusals, stranger, stranger, stranger, null, null])
    expect(refusals('users.approve')).toEqual([
      ...signInRefusals,
      stranger,
      stranger,
      stranger,
      stranger,
      null,
    ])
    expect(refusals('tracking.online')).toEqual([...signInRefusals, stranger, null, null, stranger, stranger])
    const other = 'user_issue_contact_admin'
    expect(refusals('bookings.create')).toEqual([
      'must_login',
      signInRefusals[1],
      null,
      other,
      other,
      other,
      null,
    ])
  })

  it('booking or user of a stranger -> not_found, or what the route declares', () => {
    for (const rule of Object.values<RouteRule>(routes)) {
      if (!('booking' in rule || 'user' in rule)) continue
      for (const { id, role } of persons) {
        const refusal = routeRefusal(rule, { id, role, approved: true }, null)
        expect(refusal).toBe(rule.others?.[role] ?? rule.absent ?? 'not_found')
      }
    }
  })

  it('conversation of a stranger -> chat_not_found', () => {
    const admin = { id: 'someone', role: 'admin', approved: true } as const
    expect(routeRefusal(routes['chats.send'], admin, null)).toBe('chat_not_found')
  })

  it('command of the state machine -> open to the roles of the transition table', () => {
    for (const [command, { by }] of Object.entries(transitions)) {
      const rule: RouteRule | undefined = (routes as Record<string, RouteRule>)[`bookings.${command}`]
      if (rule === undefined || !('booking' in rule)) continue
      for (const usertype of roles) {
        expect(rule.booking.includes(usertype), `${command} ${usertype}`).toBe(usertype in by)
      }
    }
  })
})

describe('user fields', () => {
  it('fleet admin -> writes neither approval nor bank details', () => {
    expect(unwritable(['firstName', 'vehicleNumber'], 'fleetadmin')).toEqual([])
    const fields = [
      'approved',
      'usertype',
      'fleetadmin',
      'walletBalance',
      'queue',
      'rating_sum',
      'bankAccount',
      'x',
    ]
    expect(unwritable(fields, 'fleetadmin')).toEqual(fields)
  })

  it('field decided by a command or the platform -> written directly by no one', () => {
    const fields = [
      'approved',
      'usertype',
      'walletBalance',
      'fleetadmin',
      'queue',
      'email',
      'mobile',
      'pushToken',
    ]
    for (const relation of userRelations) expect(unwritable(fields, relation)).toEqual(fields)
  })

  it('push token -> visible to no one', () => {
    for (const relation of userRelations) expect(maySeeField('pushToken', relation)).toBe(false)
    expect(maySeeField('bankAccount', 'fleetadmin')).toBe(false)
  })
})

it('userRelationTo: fleet admin -> related to their own drivers only', () => {
  const driver = { id: 'd', usertype: 'driver' as const, fleetadmin: 'f' }
  expect(persons.map((person) => userRelationTo(driver, person))).toEqual([
    null,
    'self',
    null,
    'fleetadmin',
    'admin',
  ])
  expect(userRelationTo(driver, { id: 'x', role: 'fleetadmin', approved: true })).toBeNull()
  expect(userRelationTo(driver, { id: 'f', role: 'rider', approved: true })).toBeNull()
  expect(
    userRelationTo({ ...driver, usertype: 'rider' }, { id: 'f', role: 'fleetadmin', approved: true }),
  ).toBeNull()
  expect(userRelationTo(driver, null)).toBeNull()
})

describe('commands on a user', () => {
  const driver = { usertype: 'driver', approved: false, invited: true } as const
  it('relation and state -> the commands they allow', () => {
    expect(userCommandsOf(driver, 'admin')).toEqual([
      'update',
      'remove',
      'approve',
      'disapprove',
      'change_type',
      'assign_fleet',
      'correct_contact',
      'invite',
    ])
    expect(userCommandsOf({ ...driver, rejected: true }, 'admin')).not.toContain('disapprove')
    expect(userCommandsOf({ ...driver, invited: false }, 'fleetadmin')).toEqual(['update', 'remove'])
    expect(userCommandsOf(driver, 'self')).toEqual([])
    expect(userCommandsOf({ usertype: 'rider', approved: true, invited: false }, 'admin')).toEqual([
      'update',
      'remove',
      'disapprove',
      'change_type',
      'correct_contact',
    ])
  })
})

describe('pages', () => {
  it('page -> opened by the roles of the table', () => {
    expect(mayOpen('/', null)).toBe(true)
    expect(mayOpen('/bookings', null)).toBe(false)
    expect(mayOpen('/trip/7', 'rider')).toBe(true)
    expect(mayOpen('/trip/7/', null)).toBe(false)
    expect(mayOpen('/trip', null)).toBe(true)
    expect(roles.map((role) => mayOpen('/dashboard', role))).toEqual([false, false, true, true])
    expect(roles.map((role) => mayOpen('/wallet', role))).toEqual([true, true, false, false])
    expect(screenAt('/trip/')).toBeNull()
    expect(screenAt('/nothing')).toBeNull()
  })
  it('path of many slashes -> parsed in linear time', () => {
    expect(screenAt(`${'/'.repeat(400_000)}x`)).toBeNull()
    expect(screenAt('/wallet///')).toBe('/wallet')
    expect(screenAt('//')).toBe('/')
  })
  it('every role -> may open its home page', () => {
    for (const role of roles) expect(mayOpen(homeOf[role], role)).toBe(true)
  })
})
