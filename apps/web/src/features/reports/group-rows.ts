import type { DriverEarning } from '@hansom/contract/reports'
import type { Grouping } from './use-report-address.ts'

/** Which rows are loaded together: those of a month, of a driver, or the list of drivers. */
export type Stretch =
  | { of: 'month'; year: number; month: number }
  | { of: 'driver'; driver: string }
  | { of: 'drivers' }

/** A line of the grouped report: a driver's month, or the place where rows are still to be loaded. */
export type GroupRow =
  | { kind: 'earning'; id: string; earning: DriverEarning }
  | { kind: 'more'; id: string; year: number; month: number; driver: DriverEarning | null; stretch: Stretch }

export interface Loaded {
  rows: readonly DriverEarning[]
  /** Where it goes on; null at the end, undefined before the first page. */
  next: string | null | undefined
  failed: boolean
}

export const keyOf = (stretch: Stretch): string =>
  stretch.of === 'month'
    ? `${stretch.year}-${stretch.month}`
    : stretch.of === 'driver'
      ? stretch.driver
      : 'drivers'

const fresh: Loaded = { rows: [], next: undefined, failed: false }

/**
 * The rows of a grouped report as far as they are loaded. `heads` are the groups that are known to exist: the months of
 * the totals, or the loaded drivers. A group that is not loaded whole ends in a row that stands for the rest.
 */
export function groupRows(
  grouping: Exclude<Grouping, 'list'>,
  months: readonly { year: number | null; month: number | null }[],
  loaded: ReadonlyMap<string, Loaded>,
): GroupRow[] {
  const stateOf = (stretch: Stretch) => loaded.get(keyOf(stretch)) ?? fresh
  const rowsOf = (stretch: Stretch, head: DriverEarning | null, year: number, month: number): GroupRow[] => {
    const { rows, next } = stateOf(stretch)
    const key = keyOf(stretch)
    const lines = rows.map((earning): GroupRow => ({ kind: 'earning', id: idOf(earning), earning }))
    if (next === null) return lines
    return [...lines, { kind: 'more', id: `more ${key}`, year, month, driver: head, stretch }]
  }
  if (grouping !== 'driver') {
    return months.flatMap(({ year, month }) =>
      year === null || month === null ? [] : rowsOf({ of: 'month', year, month }, null, year, month),
    )
  }
  const list = stateOf({ of: 'drivers' })
  const drivers = list.rows.flatMap((head) => rowsOf({ of: 'driver', driver: head.driver }, head, 0, 0))
  return list.next === null
    ? drivers
    : [
        ...drivers,
        { kind: 'more', id: 'more drivers', year: 0, month: 0, driver: null, stretch: { of: 'drivers' } },
      ]
}

const idOf = ({ driver, year, month }: DriverEarning) => `${driver} ${year} ${month}`
