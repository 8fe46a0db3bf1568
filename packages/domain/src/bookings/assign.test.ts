import { describe, expect, it } from 'vitest'
import { assignedAnswerMs, nextTripAnswerMs } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { booking, bookingIn, driver, factsFor, inputFor, minute, settings, start } from './booking.fixture.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import type { CommandInput, Facts } from './facts.ts'

const now = start + 30 * minute
const later = (minutes: number) => start + minutes * minute
const manual = { ...settings, autoDispatch: false }
const other = { ...driver, id: 'd2' }

function decided(facts: Facts, input: CommandInput): Decision {
  const answer = decide(facts, input, now)
  if (answer instanceof Refusal) throw answer
  return answer
}
const refused = (facts: Facts, input: CommandInput) => {
  const answer = decide(facts, input, now)
  return answer instanceof Refusal ? answer.key : undefined
}
const notified = ({ effects }: Decision) =>
  effects.flatMap((effect) => (effect.kind === 'notify' ? [`${effect.user} ${effect.title}`] : []))
const kinds = ({ effects }: Decision) => effects.map(({ kind }) => kind)

describe('assign_driver', () => {
  const assign = inputFor('assign_driver')
  const facts = factsFor(booking, 'admin', { settings: manual, requested: [], driver: other })

  it('manual dispatch -> the request does not expire', () => {
    const decision = decided(facts, assign)
    expect(decision.effects[0]).toMatchObject({ kind: 'ask_drivers', drivers: ['d2'], expires_at: null })
    expect(notified(decision)).toEqual(['d2 notify.new_booking.title'])
    expect(decided({ ...facts, requested: ['d2'] }, assign).effects).toEqual([])
  })

  it('driver who cannot take it -> refused, but only busy or offline when the trip is due', () => {
    const by = (difference: object) => ({ ...facts, driver: { ...other, ...difference } })
    expect(refused(by({ queue: true }), assign)).toBe('already_busy')
    expect(refused(by({ driverActiveStatus: false }), assign)).toBe('not_online')
    expect(refused(by({ carType: 'Comfort' }), assign)).toBe('select_proper')
    expect(refused(by({ usertype: 'rider' }), assign)).toBe('not_found')
    const tomorrow = { ...booking, bookLater: true, tripdate: later(600) }
    const early = decided({ ...by({ queue: true }), booking: tomorrow }, assign)
    expect(early.effects[1]).toEqual({ kind: 'schedule', job: 'tell_assigned', at: later(585) })
    expect(notified(early)).toEqual([])
    const automatic = decided({ ...by({}), settings, booking: tomorrow }, assign)
    expect(automatic.effects[0]).toMatchObject({ expires_at: later(585) + assignedAnswerMs })
  })

  it('driver whose trip is about to end -> asked for the next trip; one on the way to a pickup -> already_busy', () => {
    const on = (status: 'ACCEPTED' | 'STARTED' | 'REACHED', difference: object = {}) => ({
      ...facts,
      driver: { ...other, queue: true, trip: { status, drop: booking.drop }, ...difference },
    })
    expect(refused(on('ACCEPTED'), assign)).toBe('already_busy')
    expect(refused(on('STARTED', { driverActiveStatus: false }), assign)).toBe('not_online')
    const manually = decided(on('REACHED'), assign)
    expect(manually.effects[0]).toMatchObject({ kind: 'ask_drivers', drivers: ['d2'], expires_at: null })
    expect(notified(manually)).toEqual(['d2 notify.next_trip.title'])
    const until = now + nextTripAnswerMs
    expect(decided({ ...on('STARTED'), settings }, assign).effects.slice(0, 2)).toEqual([
      { kind: 'ask_drivers', drivers: ['d2'], wave: 0, expires_at: until },
      { kind: 'dispatch', booking: 'b', at: until },
    ])
  })

  it('automatic dispatch -> asked alone for a minute, then the waves go on', () => {
    const waiting = { ...facts, settings, requested: ['d', 'd2'], booking: { ...booking, wave: 2 } }
    const decision = decided(waiting, assign)
    const until = now + assignedAnswerMs
    expect(decision.changes).toEqual({})
    expect(decision.effects.slice(0, 3)).toEqual([
      { kind: 'remove_request', driver: 'd' },
      { kind: 'ask_drivers', drivers: ['d2'], wave: 2, expires_at: until },
      { kind: 'dispatch', booking: 'b', at: until },
    ])
  })

  it('trip with a driver -> released with the reason, the other one is asked', () => {
    const arrived = bookingIn('ARRIVED', { wave: 3, excluded_drivers: ['d2', 'd'] })
    const driven = { ...facts, booking: arrived }
    expect(refused(driven, inputFor('assign_driver', { reason: ' ' }))).toBe('reason_needed')
    const decision = decided(driven, assign)
    // Nothing of the driver is left.
    expect({ ...arrived, ...decision.changes }).toEqual({ ...booking, excluded_drivers: ['d2', 'd'] })
    expect(decision.entries).toEqual([])
    expect(decision.effects.slice(0, 2)).toMatchObject([
      { kind: 'free_driver', driver: 'd' },
      {
        kind: 'notify',
        user: 'd',
        title: 'notify.trip_withdrawn.title',
        params: { reason: 'car broke down' },
      },
    ])
    expect(notified(decision).slice(1)).toEqual([
      'r notify.driver_withdrawn.title',
      'd2 notify.new_booking.title',
    ])
    expect(decision.event).toMatchObject({ from: 'ARRIVED', to: 'NEW', reason: 'car broke down' })
    const same = { ...facts, booking: bookingIn('ACCEPTED'), driver: { ...driver, queue: true } }
    expect(refused(same, inputFor('assign_driver', { driver: 'd' }))).toBe('already_busy')
  })
})

describe('withdraw_driver', () => {
  const withdraw = inputFor('withdraw_driver')

  it('trip with a driver -> waits for an admin, or the waves start again without that driver', () => {
    const decision = decided(factsFor(bookingIn('ACCEPTED'), 'admin', { settings: manual }), withdraw)
    expect(decision.changes).toMatchObject({ status: 'NEW', driver: null, excluded_drivers: ['d'], wave: 0 })
    expect(kinds(decision)).toEqual(['free_driver', 'notify', 'notify'])
    const automatic = decided(factsFor(bookingIn('ACCEPTED'), 'admin'), withdraw)
    expect(automatic.effects.at(-1)).toEqual({ kind: 'dispatch', booking: 'b', at: now })
  })

  it('open requests -> withdrawn, their drivers are not asked again', () => {
    const decision = decided(factsFor(booking, 'admin'), withdraw)
    expect(decision.changes).toEqual({ excluded_drivers: ['d', 'other'] })
    expect(kinds(decision)).toEqual(['remove_request', 'remove_request', 'dispatch'])
    expect(refused(factsFor(booking, 'admin', { requested: [] }), withdraw)).toBe('wrong_status')
    expect(refused(factsFor(booking, 'admin'), inputFor('withdraw_driver', { reason: '' }))).toBe(
      'reason_needed',
    )
  })

  it('driver accepted since the admin saw the requests -> conflict', () => {
    const seen = factsFor(booking, 'admin').booking.version
    const accepted = factsFor(bookingIn('ACCEPTED', { version: seen + 1 }), 'admin')
    const input = (version: number) => inputFor('withdraw_driver', { version })
    expect(refused(accepted, input(seen))).toBe('conflict')
    expect(kinds(decided(accepted, input(seen + 1)))[0]).toBe('free_driver')
  })

  it('step of the withdrawn driver -> trip_withdrawn; of a stranger -> not_found', () => {
    const { changes } = decided(factsFor(bookingIn('ACCEPTED'), 'admin'), withdraw)
    const withdrawn = factsFor({ ...bookingIn('ACCEPTED'), ...changes }, 'driver', { requested: [] })
    expect(refused(withdrawn, inputFor('arrive'))).toBe('trip_withdrawn')
    expect(refused({ ...withdrawn, by: { role: 'driver', id: 'stranger' } }, inputFor('arrive'))).toBe(
      'not_found',
    )
  })
})
