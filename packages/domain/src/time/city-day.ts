const dayMs = 24 * 3600 * 1000
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * When a calendar day begins in a time zone, epoch ms: its midnight, or the first moment after it where clocks skip
 * midnight. `day` is `2026-11-30`; null for an invalid day. Throws RangeError for an unknown zone.
 */
export function cityDayStart(day: string, zone: string): number | null {
  const utc = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 10) !== day) return null
  // The day's midnight with the offset of the day before, and with that of the day after.
  const candidates = [utc - zoneOffset(utc - dayMs, zone), utc - zoneOffset(utc + dayMs, zone)]
  const within = candidates.filter((moment) => cityDay(moment, zone) === day)
  return within.length > 0 ? Math.min(...within) : Math.max(...candidates)
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
