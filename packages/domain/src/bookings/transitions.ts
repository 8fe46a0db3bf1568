import type { ActorRole } from '../users/roles.ts'
import type { BookingStatus } from './status.ts'

/**
 * One command of the booking state machine: the statuses in which each actor may give it, and the resulting status.
 * `stay` leaves the status unchanged; with a list, the facts decide. Which person of a role may give it (the booking's
 * rider, its driver, a requested driver) is decided in `access`.
 */
export interface Transition {
  by: Partial<Record<ActorRole, readonly BookingStatus[]>>
  to: 'stay' | readonly BookingStatus[]
}

/** The complete state machine. Server and screens derive the possible commands from it. */
export const transitions = {
  capture_payment: { by: { system: ['PAYMENT_PENDING'] }, to: ['NEW'] },
  expire_payment: { by: { system: ['PAYMENT_PENDING'] }, to: ['CANCELLED'] },
  request_drivers: { by: { system: ['NEW'] }, to: 'stay' },
  assign_driver: { by: { admin: ['NEW', 'ACCEPTED', 'ARRIVED'] }, to: ['NEW'] },
  withdraw_driver: { by: { admin: ['NEW', 'ACCEPTED', 'ARRIVED'] }, to: ['NEW'] },
  decline: { by: { driver: ['NEW'] }, to: 'stay' },
  find_no_driver: { by: { system: ['NEW'] }, to: ['CANCELLED'] },
  accept: { by: { driver: ['NEW'] }, to: ['ACCEPTED'] },
  arrive: { by: { driver: ['ACCEPTED'] }, to: ['ARRIVED'] },
  start: { by: { driver: ['ARRIVED'] }, to: ['STARTED'] },
  deliver: { by: { driver: ['STARTED'] }, to: 'stay' },
  fail_drop: { by: { driver: ['STARTED'] }, to: 'stay' },
  reach: { by: { driver: ['STARTED'], admin: ['STARTED'] }, to: ['REACHED'] },
  close: { by: { driver: ['REACHED'], admin: ['REACHED'] }, to: ['PENDING', 'PAID'] },
  change: {
    by: {
      rider: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
      admin: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
    },
    // From ARRIVED back to ACCEPTED when the driver has to drive to a new pickup.
    to: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
  },
  choose_payment: {
    by: {
      rider: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'PENDING'],
      admin: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'PENDING'],
    },
    to: 'stay',
  },
  release_hold: { by: { system: ['PAYMENT_PENDING', 'PENDING'] }, to: 'stay' },
  pay_by_wallet: { by: { rider: ['PENDING'], system: ['PENDING'] }, to: ['PAID'] },
  settle_capture: { by: { system: ['PENDING'] }, to: ['PAID'] },
  confirm_cash: { by: { driver: ['PENDING'] }, to: ['PAID'] },
  write_off: { by: { admin: ['PENDING'] }, to: ['PAID'] },
  object: { by: { rider: ['PENDING', 'PAID', 'COMPLETE'] }, to: 'stay' },
  decide_objection: { by: { admin: ['PENDING', 'PAID', 'COMPLETE'] }, to: ['PENDING', 'PAID', 'COMPLETE'] },
  rate: { by: { rider: ['PAID'] }, to: ['COMPLETE'] },
  skip_rating: { by: { rider: ['PAID'], system: ['PAID'] }, to: ['COMPLETE'] },
  rate_rider: { by: { driver: ['PENDING', 'PAID', 'COMPLETE'] }, to: 'stay' },
  cancel: {
    by: {
      rider: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
      admin: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
      driver: ['ACCEPTED', 'ARRIVED'],
    },
    to: ['CANCELLED'],
  },
} as const satisfies Record<string, Transition>

export type BookingCommand = keyof typeof transitions

/** The commands that users give, each by a route; the others are the platform's own. */
export type RoutedCommand = {
  [C in BookingCommand]: keyof (typeof transitions)[C]['by'] extends 'system' ? never : C
}[BookingCommand]
export const routedCommands = (Object.keys(transitions) as BookingCommand[]).filter(
  (command): command is RoutedCommand => Object.keys(transitions[command].by).some((by) => by !== 'system'),
)

/** The commands an actor may give while a booking has `status`, in the table's order. */
export function commandsFor(actor: ActorRole, status: BookingStatus): BookingCommand[] {
  return (Object.keys(transitions) as BookingCommand[]).filter((command) =>
    mayCommand(actor, command, status),
  )
}

/** True when the table lets `actor` give `command` in `status`. */
export function mayCommand(actor: ActorRole, command: BookingCommand, status: BookingStatus): boolean {
  const by: Transition['by'] = transitions[command].by
  return by[actor]?.includes(status) ?? false
}

/** What may be changed about a booking; `time` is the date of the trip, or that it is immediate. */
export type ChangeableField = 'pickup' | 'drop' | 'time' | 'car_type' | 'passengers' | 'note'

/**
 * Who may change what, and until when. The pickup is fixed once the rider is in the car, the time once a driver is on the
 * way. Riders change where they go, and when a later trip starts.
 */
const changeable: Record<'rider' | 'admin', Record<ChangeableField, readonly BookingStatus[]>> = {
  rider: {
    pickup: [],
    drop: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
    time: ['NEW'],
    car_type: [],
    passengers: [],
    note: [],
  },
  admin: {
    pickup: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
    drop: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
    time: ['PAYMENT_PENDING', 'NEW'],
    car_type: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
    passengers: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
    note: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
  },
}

/** What may be changed about a delivery, whose stops are planned and whose recipients have been told. */
const changeableInDelivery: readonly ChangeableField[] = ['time', 'note']

/**
 * The fields that `actor` may change now. A rider may move a later trip, but not turn an immediate one into one, or the
 * reverse.
 */
export function changeableFields(
  { status, bookLater }: { status: BookingStatus; bookLater: boolean },
  actor: ActorRole,
  isDelivery: boolean,
): ChangeableField[] {
  if (actor !== 'rider' && actor !== 'admin') return []
  const fields = Object.entries(changeable[actor]) as [ChangeableField, readonly BookingStatus[]][]
  return fields
    .filter(
      ([field, statuses]) =>
        statuses.includes(status) &&
        !(field === 'time' && actor === 'rider' && !bookLater) &&
        (!isDelivery || changeableInDelivery.includes(field)),
    )
    .map(([field]) => field)
}
