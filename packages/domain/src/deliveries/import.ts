import type { PlacePoint } from '../bookings/booking.ts'
import type { ErrorKey, FieldError } from '../error-keys.ts'
import { isEmail } from '../users/contact.ts'
import { deliveryLimits } from './delivery.ts'
import { isDeliveryPhone } from './delivery-request.ts'

/** The columns of a file of deliveries: the names that its first line may use for each. */
export const importColumns = {
  pickup: ['pickup', 'pickup address', 'from'],
  drop: ['drop', 'drop address', 'delivery address', 'address', 'to'],
  person: ['person', 'recipient', 'recipient name', 'name'],
  phone: ['phone', 'recipient phone', 'mobile'],
  email: ['email', 'e-mail', 'recipient email'],
  instructions: ['instructions', 'delivery instructions', 'notes'],
  window_from: ['window from', 'not before'],
  window_to: ['window to', 'not after'],
  parcel_type: ['parcel type', 'parcel'],
  option: ['option'],
  vehicle: ['vehicle', 'car type'],
  reference: ['reference', 'order', 'order number'],
} as const
export type ImportColumn = keyof typeof importColumns
export const importColumnNames = Object.keys(importColumns) as ImportColumn[]

/** The texts of a row, one for each column; empty where the file has none. */
export type ImportedRow = Record<ImportColumn, string>

export interface ImportProblem {
  column: ImportColumn
  error: FieldError['error']
}

/** What a checked row books: places on the map, times (epoch ms) and positions in the lists of the car type. */
export interface ImportPlan {
  pickup: PlacePoint
  drop: PlacePoint
  car_type_id: string
  parcelTypeIndex: number
  optionIndex: number
  window: { from: number; to: number } | null
  /** When the courier is to be at the pickup; null: as soon as possible. */
  tripdate: number | null
}

/**
 * `new` is not checked yet, `good` can be booked, `bad` has problems. Once the sender confirms, good rows are `queued`
 * and then `booked` or `refused`; a `duplicate` was queued or booked by another file. `removed` was taken out of the queue.
 */
export const importRowStates = [
  'new',
  'good',
  'bad',
  'queued',
  'booked',
  'refused',
  'duplicate',
  'removed',
] as const
export type ImportRowState = (typeof importRowStates)[number]

/** Most rows of a file, its size in bytes, and the length of one cell. */
export const importLimits = { rows: 2_000, bytes: 1_000_000, cell: 300 } as const

const normalized = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** The position of each column in the first line of a file; missing columns are left out. */
export function columnsOf(header: readonly string[]): Partial<Record<ImportColumn, number>> {
  const names = header.map(normalized)
  return Object.fromEntries(
    importColumnNames.flatMap((column) => {
      const known: readonly string[] = importColumns[column].map(normalized)
      const index = names.findIndex((name) => name === normalized(column) || known.includes(name))
      return index < 0 ? [] : [[column, index]]
    }),
  )
}

/** Columns without which no row can be booked. A pickup for the whole file makes the column unnecessary. */
export function missingColumns(
  columns: Partial<Record<ImportColumn, number>>,
  hasPickup: boolean,
): ImportColumn[] {
  const needed: ImportColumn[] = ['drop', 'person', 'phone', ...(hasPickup ? [] : (['pickup'] as const))]
  return needed.filter((column) => columns[column] === undefined)
}

/** The texts of a line. A cell that begins like a formula is text: nothing evaluates it. */
export function importedRow(
  cells: readonly string[],
  columns: Partial<Record<ImportColumn, number>>,
): ImportedRow {
  return Object.fromEntries(
    importColumnNames.map((column) => [column, (cells[columns[column] ?? -1] ?? '').trim()]),
  ) as ImportedRow
}

/** True for a line of empty cells, such as those that spreadsheets add at the end. */
export const isEmptyLine = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

const limits: Partial<Record<ImportColumn, number>> = {
  person: deliveryLimits.person,
  phone: deliveryLimits.phone,
  email: deliveryLimits.email,
  instructions: deliveryLimits.instructions,
}

/** Problems of a row that can be seen without the map, one per column. */
export function rowProblems(
  row: ImportedRow,
  /** Reads a window's time in the city; null if it is not a time. */
  time: (text: string) => number | null,
  now: number,
): ImportProblem[] {
  const found = new Map<ImportColumn, FieldError['error']>()
  const add = (column: ImportColumn, error: FieldError['error']) => {
    if (!found.has(column)) found.set(column, error)
  }
  for (const column of importColumnNames) {
    if (row[column].length > (limits[column] ?? importLimits.cell)) add(column, 'too_long')
  }
  if (row.pickup === '') add('pickup', 'required')
  if (row.drop === '') add('drop', 'required')
  if (row.person === '') add('person', 'required')
  if (row.phone === '') add('phone', 'required')
  else if (!isDeliveryPhone(row.phone)) add('phone', 'deliveryDetailMissing')
  if (row.email !== '' && !isEmail(row.email)) add('email', 'proper_email')
  const [from, to] = [row.window_from, row.window_to].map((text) => (text === '' ? undefined : time(text)))
  if (from === null) add('window_from', 'wrong_type')
  if (to === null) add('window_to', 'wrong_type')
  if (from === undefined && to !== undefined) add('window_from', 'required')
  if (from !== undefined && to === undefined) add('window_to', 'required')
  if (from && to && to <= from) add('window_to', 'reversed_range')
  if (to && to <= now) add('window_to', 'in_the_past')
  return [...found].map(([column, error]) => ({ column, error }))
}

/** The position of a list's entry by its name, without regard to case; the first when the cell is empty, or -1. */
export function positionByName(names: readonly string[], text: string): number {
  if (text === '') return 0
  return names.findIndex((name) => normalized(name) === normalized(text))
}

/** Reasons for which a row stays in the queue: they can pass. */
const passing: readonly ErrorKey[] = [
  'too_many_bookings',
  'low_wallet',
  'payment_unavailable',
  'no_driver_found_alert_messege',
  'google_places_error',
  'unavailable',
  'conflict',
]
export const staysQueued = (reason: ErrorKey) => passing.includes(reason)
