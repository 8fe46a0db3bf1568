import type { DriverEarning } from '@hansom/contract/reports'
import type { Grouping } from './use-report-address.ts'

/** Rows that are loaded together: of a month, of a driver, or the list of drivers. */
export type Stretch =
  | { of: 'month'; year: number; month: number }
  | { of: 'driver'; driver: string }
  | { of: 'drivers' }

/** A row of the grouped report: a driver's month, or a placeholder for rows not loaded yet. */
export type GroupRow =
  | { kind: 'earning'; id: string; earning: DriverEarning }
  | { kind: 'more'; id: string; year: number; month: number; driver: DriverEarning | null; stretch: Stretch }

export interface Loaded {
  rows: readonly DriverEarning[]
  /** Cursor of the next page; null at the end, undefined before the first page. */
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
 * The loaded rows of a grouped report. `heads` are the known groups: the months of the totals, or the loaded drivers. An
 * incomplete group ends in a placeholder row.
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
