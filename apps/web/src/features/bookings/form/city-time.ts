import { bookLaterLeadMs } from '@hansom/domain/dispatch/timing'

function parts(at: number, timeZone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** Converts epoch ms to the wall clock of a time zone, "2026-11-21T14:30", the format of a datetime-local input. */
export function toCityTime(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = parts(at, timeZone)
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** Converts a wall-clock time in a time zone to epoch ms; NaN for invalid text. */
export function fromCityTime(text: string, timeZone: string): number {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return Number.NaN
  // Two passes, because the offset may change between the first guess and the result.
  let guess = asUtc
  for (let turn = 0; turn < 2; turn++) {
    guess += asUtc - Date.parse(`${toCityTime(guess, timeZone)}Z`)
  }
  return guess
}

/** The earliest time to offer: lead time plus a margin, rounded up to five minutes. */
export function earliestTrip(now: number): number {
  const step = 5 * 60_000
  return Math.ceil((now + bookLaterLeadMs + 30_000) / step) * step
}
