import { type Days, type EarningStep, earningSteps, periodAround } from '@hansom/domain/earnings/period'

export interface EarningsAddress extends Days {
  by: EarningStep
  /** Today lies in it. */
  isCurrent: boolean
}

/** Before it nobody has driven. */
const firstDay = '1970-01-02'

/** Reads which period an address means: `by` and any day of it. What says nothing, or lies ahead, is today's. */
export function readEarningsAddress(
  address: Readonly<Record<string, unknown>>,
  today: string,
): EarningsAddress {
  const by = earningSteps.find((step) => step === address.by) ?? 'day'
  const day = typeof address.day === 'string' && isDay(address.day) ? address.day : today
  const current = periodAround(by, today)
  const days = day >= firstDay && day <= today ? periodAround(by, day) : current
  return { by, ...days, isCurrent: days.from === current.from }
}

/** The address of a period: as short as can be. */
export function earningsSearch(
  { by, from }: Pick<EarningsAddress, 'by' | 'from'>,
  today: string,
): { by: EarningStep | undefined; day: string | undefined } {
  const isCurrent = periodAround(by, today).from === periodAround(by, from).from
  return { by: by === 'day' ? undefined : by, day: isCurrent ? undefined : from }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}
