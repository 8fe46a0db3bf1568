/** Cuts a text after `most` characters, never inside of one: half a surrogate pair is no valid JSON for PostgreSQL. */
export function shortened(text: string, most: number): string {
  const signs = Array.from(text)
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join('')}…`
}
