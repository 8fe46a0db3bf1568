/** The fields of T, none of which may be undefined. */
export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Omits the fields that were not sent, so that they do not replace a default or a stored value. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
