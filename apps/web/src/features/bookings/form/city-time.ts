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

/** Epoch ms as the wall clock of a time zone, "2026-11-21T14:30", the form of a date-time field. */
export function toCityTime(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = parts(at, timeZone)
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** Epoch ms of a wall-clock time in a time zone; NaN for what is no time. */
export function fromCityTime(text: string, timeZone: string): number {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return Number.NaN
  // Twice, so that a change of the clocks between the guess and the answer is counted.
  let guess = asUtc
  for (let turn = 0; turn < 2; turn++) {
    guess += asUtc - Date.parse(`${toCityTime(guess, timeZone)}Z`)
  }
  return guess
}

/** The earliest time to offer: the lead time ahead, on the next full five minutes. */
export function earliestTrip(now: number): number {
  const step = 5 * 60_000
  return Math.ceil((now + bookLaterLeadMs + 30_000) / step) * step
}
