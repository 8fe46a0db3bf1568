import { describe, expect, it } from 'vitest'
import { delivery } from '../deliveries/delivery.fixture.ts'
import { Refusal } from '../error-keys.ts'
import { actorRoles } from '../users/roles.ts'
import { bookingIn, driver, factsFor, inputFor, minute, riderWith, start } from './booking.fixture.ts'
import { decide, refusalBeforeRule } from './decide.ts'
import type { Facts } from './facts.ts'
import { ratingTimeMs } from './settle.ts'
import { type BookingStatus, bookingStatuses } from './status.ts'
import { type BookingCommand, commandsFor, mayCommand, type Transition, transitions } from './transitions.ts'

const commands = Object.keys(transitions) as BookingCommand[]
const now = start + 30 * minute
const acceptTaken: readonly BookingStatus[] = [
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
  'PAID',
  'COMPLETE',
]

const cells = bookingStatuses.flatMap((status) =>
  commands.flatMap((command) => actorRoles.map((actor) => ({ status, command, actor }))),
)

/**
 * Facts a command needs beyond the status: another driver for assigning, an elapsed rating time for completing
 * unrated, a held wallet part for releasing it.
 */
function factsOf(command: BookingCommand, facts: Facts): Facts {
  if (command === 'skip_rating') {
    return { ...facts, booking: { ...facts.booking, closed_at: now - ratingTimeMs } }
  }
  if (command === 'deliver' || command === 'fail_drop') return { ...facts, delivery }
  if (command === 'release_hold') {
    return { ...facts, booking: { ...facts.booking, payment_mode: 'wallet_card', usedWalletMoney: 300_000 } }
  }
  if (command === 'object' || command === 'decide_objection') {
    const cashAnswer = facts.booking.status === 'PENDING' ? ('nothing' as const) : ('trip' as const)
    const objection = command === 'object' ? null : ('open' as const)
    return {
      ...facts,
      rider: riderWith(-50_000),
      booking: { ...facts.booking, cash_answer: cashAnswer, outstanding_amount: 50_000, objection },
    }
  }
  return command === 'assign_driver' ? { ...facts, requested: [], driver: { ...driver, id: 'd2' } } : facts
}

describe('every status, command and role', () => {
  it.each(cells)('$status $command by $actor -> as in the table', ({ status, command, actor }) => {
    const facts = factsOf(command, factsFor(bookingIn(status), actor))
    const answer = decide(facts, inputFor(command), now)
    const { by, to }: Transition = transitions[command]
    if (!mayCommand(actor, command, status)) {
      const isTheirs = actor !== 'driver' || facts.booking.driver === 'd' || facts.requested.includes('d')
      const key = by[actor] && isTheirs ? 'wrong_status' : 'not_found'
      expect(answer).toBeInstanceOf(Refusal)
      expect((answer as Refusal).key).toBe(key)
      return
    }
    if (answer instanceof Refusal) throw answer
    expect(answer.refused).toBeNull()
    expect(answer.event).toMatchObject({ at: now, command, from: status, by: facts.by })
    if (to === 'stay') {
      expect(answer.event.to).toBe(status)
      expect(answer.changes).not.toHaveProperty('status')
    } else {
      expect(to).toContain(answer.event.to)
      expect(answer.changes.status ?? status).toBe(answer.event.to)
    }
  })

  it('transitions -> every status is reachable, and the last two lead only to rating the rider and objections', () => {
    const reached = new Set<BookingStatus>(
      commands.flatMap((command) => {
        const { to }: Transition = transitions[command]
        // A change of the booking's data leads at most back.
        return to === 'stay' || command === 'change' ? [] : [...to]
      }),
    )
    expect([...reached].sort()).toEqual(bookingStatuses.filter((one) => one !== 'PAYMENT_PENDING').sort())
    for (const actor of actorRoles) {
      expect(commandsFor(actor, 'CANCELLED')).toEqual([])
      expect(commandsFor(actor, 'COMPLETE')).toEqual(
        { driver: ['rate_rider'], rider: ['object'], admin: ['decide_objection'] }[actor as string] ?? [],
      )
    }
  })
})

describe('a driver who was asked earlier, but is no longer asked', () => {
  const by = { role: 'driver' as const, id: 'asked' }
  const answerCells = bookingStatuses.flatMap((status) =>
    (['accept', 'decline'] as const).map((command) => ({ status, command })),
  )
  it.each(answerCells)('$status $command -> refused', ({ status, command }) => {
    const self = { ...driver, id: 'asked' }
    const facts = factsFor(bookingIn(status), 'driver', { by, wasAsked: true, driver: self })
    const isTaken = command === 'accept' && acceptTaken.includes(status)
    const key = status === 'NEW' ? 'not_requested' : isTaken ? 'already_taken' : 'wrong_status'
    expect(decide(facts, inputFor(command), now)).toMatchObject({ key })
  })
})

describe('another person of the right role', () => {
  const strangers = [
    { role: 'rider' as const, id: 'stranger' },
    { role: 'driver' as const, id: 'stranger' },
  ]
  const strangerCells = bookingStatuses.flatMap((status) =>
    commands.flatMap((command) => strangers.map((by) => ({ status, command, by, actor: by.role }))),
  )
  it.each(strangerCells)('$status $command by another $actor -> not_found', ({ status, command, by }) => {
    const booking = bookingIn(status)
    const facts = factsFor(booking, by.role, { by, driver: { ...driver, id: 'stranger' } })
    const answer = decide(facts, inputFor(command), now)
    expect(answer).toBeInstanceOf(Refusal)
    expect((answer as Refusal).key).toBe('not_found')
    expect(refusalBeforeRule(facts, command)?.key).toBe('not_found')
  })
})
