import { types } from 'pg'

/** Parses an int8 as a number. Throws RangeError beyond 2^53, where the number would silently lose precision. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} from the database is not a safe integer`)
  return value
}

/** Registers the parser process-wide, since drizzle falls back to the driver's global parsers. */
export function parseInt8Everywhere(): void {
  types.setTypeParser(types.builtins.INT8, parseInt8)
}
