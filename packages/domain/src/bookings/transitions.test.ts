import { describe, expect, it } from 'vitest'
import { actorRoles } from '../users/roles.ts'
import { bookingStatuses } from './status.ts'
import { type BookingCommand, mayCommand } from './transitions.ts'

/** The actors of a command with their statuses, as specified. */
function rows(command: BookingCommand): string[] {
  return actorRoles.flatMap((actor) => {
    const statuses = bookingStatuses.filter((status) => mayCommand(actor, command, status))
    return statuses.length > 0 ? [`${actor}: ${statuses.join(' ')}`] : []
  })
}

describe('transition table', () => {
  it.each<[BookingCommand, string[]]>([
    [
      'cancel',
      [
        'rider: PAYMENT_PENDING NEW ACCEPTED ARRIVED',
        'driver: ACCEPTED ARRIVED',
        'admin: PAYMENT_PENDING NEW ACCEPTED ARRIVED',
      ],
    ],
    ['assign_driver', ['admin: NEW ACCEPTED ARRIVED']],
    ['withdraw_driver', ['admin: NEW ACCEPTED ARRIVED']],
    ['accept', ['driver: NEW']],
    ['arrive', ['driver: ACCEPTED']],
    ['start', ['driver: ARRIVED']],
    ['reach', ['driver: STARTED', 'admin: STARTED']],
    ['close', ['driver: REACHED', 'admin: REACHED']],
    [
      'choose_payment',
      [
        'rider: PAYMENT_PENDING NEW ACCEPTED ARRIVED STARTED PENDING',
        'admin: PAYMENT_PENDING NEW ACCEPTED ARRIVED STARTED PENDING',
      ],
    ],
    [
      'change',
      ['rider: NEW ACCEPTED ARRIVED STARTED', 'admin: PAYMENT_PENDING NEW ACCEPTED ARRIVED STARTED'],
    ],
    ['release_hold', ['system: PAYMENT_PENDING PENDING']],
    ['pay_by_wallet', ['rider: PENDING', 'system: PENDING']],
    ['confirm_cash', ['driver: PENDING']],
    ['write_off', ['admin: PENDING']],
    ['rate', ['rider: PAID']],
    ['capture_payment', ['system: PAYMENT_PENDING']],
    ['find_no_driver', ['system: NEW']],
  ])('%s', (command, expected) => {
    expect(rows(command)).toEqual(expected)
  })
})
