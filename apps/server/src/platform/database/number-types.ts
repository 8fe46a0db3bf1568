import { types } from 'pg'

/** Reads an int8 as a number. Throws RangeError beyond 2^53, where a number would silently be another one. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} from the database is not a safe integer`)
  return value
}

/** Process-wide, since drizzle falls back to the driver's global parsers. */
export function parseInt8Everywhere(): void {
  types.setTypeParser(types.builtins.INT8, parseInt8)
}
