import { expect, test } from 'vitest'
import { bookingStatuses } from '../bookings/status.ts'
import { emergencyNumber } from './emergency-numbers.ts'
import {
  askedBy,
  countsPanic,
  effectOfAnswer,
  mayNeedContacts,
  mayPanic,
  type SafetyAnswer,
  type SafetyEvent,
  type SafetyMoment,
  type TripPerson,
  untilLeft,
} from './event.ts'

const now = 1_800_000_000_000
const event = (more: Partial<SafetyEvent> = {}): SafetyEvent => ({
  kind: 'stop',
  state: 'asked',
  opened_at: now - 60_000,
  closing: null,
  ...more,
})
const taxi = { category: 'taxi', now } as const

test.each<[string, Partial<SafetyEvent>, SafetyAnswer, TripPerson, 'taxi' | 'delivery', string]>([
  ['rider is fine', {}, 'fine', 'rider', 'taxi', 'close'],
  ['driver is fine', {}, 'fine', 'driver', 'taxi', 'note'],
  ['courier is fine', {}, 'fine', 'driver', 'delivery', 'close'],
  ['sender is fine', {}, 'fine', 'rider', 'delivery', 'note'],
  ['rider needs help', {}, 'help', 'rider', 'taxi', 'alarm'],
  ['driver needs help', {}, 'help', 'driver', 'taxi', 'alarm'],
  [
    'help after the other one was fine',
    { state: 'closed', closing: 'answer' },
    'help',
    'driver',
    'taxi',
    'alarm',
  ],
  [
    'help after the trip has ended',
    { state: 'closed', closing: 'trip_end' },
    'help',
    'rider',
    'taxi',
    'alarm',
  ],
  ['help after an admin closed it', { state: 'closed', closing: 'admin' }, 'help', 'rider', 'taxi', 'late'],
  [
    'help an hour later',
    { state: 'closed', closing: 'answer', opened_at: now - 3_600_000 },
    'help',
    'rider',
    'taxi',
    'late',
  ],
  ['fine after the alarm', { state: 'alarm' }, 'fine', 'rider', 'taxi', 'note'],
  ['help after the alarm', { state: 'alarm' }, 'help', 'rider', 'taxi', 'note'],
  ['fine after the end', { state: 'closed', closing: 'trip_end' }, 'fine', 'rider', 'taxi', 'late'],
])('answer: %s', (_name, more, answer, by, category, expected) => {
  expect(effectOfAnswer(event(more), answer, by, { category, now })).toBe(expected)
})

test('answers: fine and help in either order -> an alarm', () => {
  const helpFirst = effectOfAnswer(event({ state: 'alarm' }), 'fine', 'rider', taxi)
  expect(helpFirst).toBe('note')
  const fineFirst = effectOfAnswer(event({ state: 'closed', closing: 'answer' }), 'help', 'driver', taxi)
  expect(fineFirst).toBe('alarm')
})

test('asked: silence of a taxi -> the rider only; everything else -> both', () => {
  expect(askedBy('silence', 'taxi')).toEqual(['rider'])
  expect(askedBy('silence', 'delivery')).toEqual(['rider', 'driver'])
  expect(askedBy('stop', 'taxi')).toEqual(['rider', 'driver'])
})

test('panic button: from acceptance to the end of the trip, with the setting, in taxi', () => {
  const on = { panic: true, category: 'taxi' } as const
  expect(bookingStatuses.filter((status) => mayPanic(status, on))).toEqual([
    'ACCEPTED',
    'ARRIVED',
    'STARTED',
    'REACHED',
  ])
  expect(mayPanic('STARTED', { ...on, panic: false })).toBe(false)
  expect(mayPanic('STARTED', { ...on, category: 'delivery' })).toBe(false)
})

test('panic button pressed without a connection: arrives within 15 minutes of the end -> counts', () => {
  const on = { panic: true, category: 'taxi' } as const
  const ended = (agoMs: number) => ({ status: 'PAID', endedAt: now - agoMs }) as const
  expect(countsPanic(ended(60_000), on, now)).toBe(true)
  expect(countsPanic(ended(16 * 60_000), on, now)).toBe(false)
  expect(countsPanic(ended(60_000), { ...on, panic: false }, now)).toBe(false)
  expect(countsPanic({ status: 'NEW', endedAt: null }, on, now)).toBe(false)
})

test('emergency number: of the country, in any case; 112 otherwise', () => {
  expect(emergencyNumber('UY')).toBe('911')
  expect(emergencyNumber('gb')).toBe('999')
  expect(emergencyNumber('SE')).toBe('112')
  expect(emergencyNumber('HN')).toBeNull()
  expect(emergencyNumber('')).toBeNull()
})

test.each([
  ['no one called', [['asked', null]], ['ana', 'ben']],
  ['ana pressed the button', [['raised', 'ana']], ['ana']],
  [
    'ben answered that help is needed',
    [
      ['fine', 'ana'],
      ['help', 'ben'],
    ],
    ['ben'],
  ],
  [
    'both called',
    [
      ['raised', 'ana'],
      ['repeated', 'ben'],
    ],
    ['ana', 'ben'],
  ],
] as const)('contacts in an alarm: %s -> those of %j', (_name, moments, needed) => {
  const all = moments.map(([what, by_user]) => ({ what, by_user }))
  expect(['ana', 'ben'].filter((person) => mayNeedContacts(all, person))).toEqual(needed)
})

test('untilLeft: moments of trip and office before and after -> no rider’s name; later only raised and handled', () => {
  const left = { driver: 'dan', at: now }
  const moment = (at: number, what: SafetyMoment, by_user: string | null) => ({
    at,
    what,
    by_user,
    name: by_user,
    note: 'a note',
    lat: 1,
    lng: 2,
  })
  const told = (at: number) =>
    untilLeft(
      [
        moment(at, 'raised', 'rita'),
        moment(at, 'repeated', 'dan'),
        moment(at, 'acknowledged', 'ada'),
        moment(at, 'note', 'ada'),
        moment(at, 'help', 'rita'),
        moment(at, 'closed', 'ada'),
      ],
      left,
    ).map(({ what, name, note, lat }) => [what, name, note, lat])
  expect(told(now)).toEqual([
    ['raised', null, 'a note', 1],
    ['repeated', 'dan', 'a note', 1],
    ['acknowledged', 'ada', 'a note', 1],
    ['note', 'ada', 'a note', 1],
    ['help', null, 'a note', 1],
    ['closed', 'ada', 'a note', 1],
  ])
  expect(told(now + 1)).toEqual([
    ['raised', null, null, null],
    ['acknowledged', 'ada', null, null],
    ['closed', 'ada', null, null],
  ])
})
