/** A trip as an entry of a calendar. Times are epoch ms. */
export interface CalendarEntry {
  /** Unique worldwide and the same for every version of the entry. */
  uid: string
  /** Greater in every later version of the entry. */
  sequence: number
  /** When this version was written. */
  writtenAt: number
  from: number
  to: number
  title: string
  description: string
  location: string
  url: string
  organizer: { name: string; uri: string }
  /** How long before the entry the calendar reminds, minutes; its text is the title. */
  alarmMinutes: number
  cancelled: boolean
}

/**
 * An iCalendar file (RFC 5545) with one entry, as a publication (RFC 5546): `PUBLISH` creates or updates it, `CANCEL`
 * removes it. Times are in UTC, so that no time zone has to be described.
 */
export function calendarFile(entry: CalendarEntry): { method: 'PUBLISH' | 'CANCEL'; content: string } {
  const method = entry.cancelled ? 'CANCEL' : 'PUBLISH'
  const { organizer } = entry
  const alarm = [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(entry.title)}`,
    `TRIGGER:-PT${entry.alarmMinutes}M`,
    'END:VALARM',
  ]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hansom//Trips//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${utc(entry.writtenAt)}`,
    `DTSTART:${utc(entry.from)}`,
    `DTEND:${utc(Math.max(entry.to, entry.from + 60_000))}`,
    `SUMMARY:${escapeText(entry.title)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    `LOCATION:${escapeText(entry.location)}`,
    `URL:${entry.url}`,
    `ORGANIZER;CN=${quoted(organizer.name)}:${organizer.uri}`,
    `STATUS:${entry.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    ...(entry.cancelled ? [] : alarm),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return { method, content: `${lines.map(foldLine).join('\r\n')}\r\n` }
}

/** RFC 5545, 3.3.5, form 2. */
const utc = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')

/** RFC 5545, 3.3.11; other control characters are not allowed in a text. */
function escapeText(text: string): string {
  return withoutControls(text.replace(/\r\n?/g, '\n'))
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n')
}

/** A parameter value (RFC 5545, 3.2), which has no escapes: quotes and line breaks are left out. */
const quoted = (text: string) => `"${withoutControls(text.replace(/["\r\n]/g, ''))}"`

const withoutControls = (text: string) => Array.from(text).filter(isAllowed).join('')
const isAllowed = (sign: string) => sign === '\n' || sign === '\t' || (sign >= ' ' && sign !== '\u007f')

const longestLine = 75

/** Splits a line after at most 75 octets, never within a character; the rest begins with a space (RFC 5545, 3.1). */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const sign of line) {
    const length = octetsOf(sign)
    if (octets + length > longestLine) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += sign
    octets += length
  }
  return [...parts, part].join('\r\n')
}

/** The length of a character in UTF-8. */
function octetsOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
