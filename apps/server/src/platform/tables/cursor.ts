import { id as uuid } from '@hansom/contract/shapes'
import { fieldError } from './field-error.ts'
import type { SortColumn, SortType } from './table.ts'

/** The position of a row under a sort: its sort value and its key. */
export type Position = readonly [value: string | number | null, id: string]

/** Encodes the position after a row, for the next page of the same sort; opaque to clients. */
export function writeCursor(sort: string, [value, id]: Position): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
}

/** Decodes a cursor. Throws invalid_input for `cursor` when it is invalid or of another sort. */
export function readCursor(
  text: string,
  sort: string,
  column: SortColumn,
  idType: 'uuid' | 'text' = 'uuid',
): Position {
  const parts = parse(text)
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== sort) throw fieldError('cursor')
  const [, value, id] = parts as [unknown, unknown, unknown]
  const fits = value === null ? column.nullable === true : isOf(value, column.type)
  if (!fits || !isOf(id, idType)) throw fieldError('cursor')
  return [value as Position[0], id as string]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

function isOf(value: unknown, type: SortType): boolean {
  switch (type) {
    case 'int8':
      return Number.isSafeInteger(value)
    case 'float8':
      return typeof value === 'number' && Number.isFinite(value)
    case 'uuid':
      return uuid.safeParse(value).success
    default:
      // PostgreSQL accepts neither NUL nor an unpaired surrogate.
      return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value)
  }
}
