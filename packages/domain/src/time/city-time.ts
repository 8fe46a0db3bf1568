const dayMs = 24 * 3600 * 1000
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * When a calendar day begins in a time zone, epoch ms: its midnight, or the first moment after it where clocks skip
 * midnight. `day` is `2026-11-30`; null for an invalid day. Throws RangeError for an unknown zone.
 */
export function cityDayStart(day: string, zone: string): number | null {
  const utc = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 10) !== day) return null
  return fromCityTime(`${day}T00:00`, zone)
}

/**
 * Converts local time of a time zone, `2026-11-30T23:59`, to epoch ms: the earlier moment of a time that occurs twice,
 * and the moment after the gap for a time that clocks skip. NaN for invalid text.
 */
export function fromCityTime(text: string, zone: string): number {
  const utc = Date.parse(`${text}Z`)
  if (Number.isNaN(utc)) return Number.NaN
  // The local time with the offset of the day before, and with that of the day after.
  const candidates = [utc - zoneOffset(utc - dayMs, zone), utc - zoneOffset(utc + dayMs, zone)]
  const exact = candidates.filter((moment) => moment + zoneOffset(moment, zone) === utc)
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)
}

/** Converts epoch ms to local time of a time zone, `2026-11-30T23:59`, the format of a datetime-local input. */
export function toCityTime(moment: number, zone: string): string {
  return cityTime(moment, zone).slice(0, 16).replace(' ', 'T')
}

/** The day after, in the same form; null for an invalid day. */
export function nextDay(day: string): string | null {
  const utc = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(utc) ? null : new Date(utc + dayMs).toISOString().slice(0, 10)
}

/** The calendar day of a moment (epoch ms) in a time zone, as `2026-11-30`. */
export function cityDay(moment: number, zone: string): string {
  return cityTime(moment, zone).slice(0, 10)
}

/** A moment (epoch ms) as local time of a time zone: `2026-11-30 23:59:59`. */
export function cityTime(moment: number, zone: string): string {
  return new Date(moment + zoneOffset(moment, zone)).toISOString().slice(0, 19).replace('T', ' ')
}

/** The zone's offset from UTC at a moment, ms. */
function zoneOffset(moment: number, zone: string): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const year = parts.era?.startsWith('B') ? 1 - Number(parts.year) : Number(parts.year)
  const [month, day, hour, minute, second] = [
    parts.month,
    parts.day,
    parts.hour,
    parts.minute,
    parts.second,
  ].map(Number) as [number, number, number, number, number]
  const shown = new Date(0)
  shown.setUTCFullYear(year, month - 1, day)
  shown.setUTCHours(hour, minute, second)
  return shown.getTime() - Math.floor(moment / 1000) * 1000
}

/** The last `count` days up to and including `day`, oldest first. */
export function daysUpTo(day: string, count: number): string[] {
  const last = Date.parse(day)
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}

/** The last day of a month (1 to 12), as `2026-11-30`. */
export function lastDayOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The English name of a month (1 to 12). Throws RangeError for another number. */
export function monthName(month: number): string {
  const name = names[month - 1]
  if (name === undefined) throw new RangeError(`invalid month: ${month}`)
  return name
}
