/** Keeps the order of the words around a value, whichever direction it is read in: what `bdi` is, inside a text. */
export function isolated(value: string): string {
  return `\u2068${value}\u2069`
}
