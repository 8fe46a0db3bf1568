import { expect, test } from 'vitest'
import { type CalendarEntry, calendarFile } from './calendar.ts'

const entry: CalendarEntry = {
  uid: '0191-a@rides.example',
  sequence: 3,
  writtenAt: Date.UTC(2026, 10, 26, 12, 0, 0, 250),
  from: Date.UTC(2026, 10, 27, 21, 30),
  to: Date.UTC(2026, 10, 27, 21, 52, 30),
  title: 'Trip to Main Street 1',
  description: 'Pickup: A',
  location: 'Port',
  url: 'https://rides.example/trip/1',
  organizer: { name: 'Rides', uri: 'mailto:hi@rides.example' },
  alarmMinutes: 60,
  cancelled: false,
}
const linesOf = (changes: Partial<CalendarEntry> = {}) =>
  calendarFile({ ...entry, ...changes }).content.split('\r\n')
/** The length in UTF-8. */
const octetsOf = (line: string) => encodeURIComponent(line).replace(/%../g, '.').length
/** Undoes line folding (RFC 5545, 3.1). */
const unfolded = (content: string) => content.replaceAll('\r\n ', '').split('\r\n')

test('calendarFile: a trip -> the required properties in UTC, with CRLF after every line', () => {
  expect(linesOf()).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hansom//Trips//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'UID:0191-a@rides.example',
    'SEQUENCE:3',
    'DTSTAMP:20261126T120000Z',
    'DTSTART:20261127T213000Z',
    'DTEND:20261127T215230Z',
    'SUMMARY:Trip to Main Street 1',
    'DESCRIPTION:Pickup: A',
    'LOCATION:Port',
    'URL:https://rides.example/trip/1',
    'ORGANIZER;CN="Rides":mailto:hi@rides.example',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Trip to Main Street 1',
    'TRIGGER:-PT60M',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('calendarFile: cancelled -> CANCEL with the same UID, and no alarm', () => {
  const { method, content } = calendarFile({ ...entry, sequence: 4, cancelled: true })
  expect(method).toBe('CANCEL')
  for (const line of ['METHOD:CANCEL', 'STATUS:CANCELLED', 'UID:0191-a@rides.example', 'SEQUENCE:4']) {
    expect(content.split('\r\n')).toContain(line)
  }
  expect(content).not.toContain('VALARM')
})

test.each([
  ['Main St; flat 4, “Port” \\ 2', 'LOCATION:Main St\\; flat 4\\, “Port” \\\\ 2'],
  ['A\r\nATTENDEE:x', 'LOCATION:A\\nATTENDEE:x'],
  ['A\rB\u0007\u007fC', 'LOCATION:A\\nBC'],
])('calendarFile: location %j -> escaped', (location, line) => {
  expect(linesOf({ location })).toContain(line)
})

test('calendarFile: quotes and line breaks in the organizer -> left out', () => {
  expect(linesOf({ organizer: { name: 'Ri"d\r\nes; Ltd', uri: 'https://x.test' } })).toContain(
    'ORGANIZER;CN="Rides; Ltd":https://x.test',
  )
})

test.each(['x'.repeat(300), 'ر'.repeat(200), '街'.repeat(100), 'a🚕'.repeat(60), `${'x'.repeat(65)}é`])(
  'calendarFile: long text %s -> lines of at most 75 octets, unchanged when unfolded',
  (location) => {
    const { content } = calendarFile({ ...entry, location })
    for (const line of content.split('\r\n')) expect(octetsOf(line)).toBeLessThanOrEqual(75)
    expect(unfolded(content)).toContain(`LOCATION:${location}`)
  },
)

test('calendarFile: no duration -> ends after a minute, as DTEND must be later', () => {
  expect(linesOf({ to: entry.from })).toContain('DTEND:20261127T213100Z')
})
