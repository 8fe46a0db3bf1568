/** The first `most` characters of a text, never half of one: half a surrogate pair is no valid JSON for PostgreSQL. */
export function firstCharacters(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('')
}

/** A text that is cut after `most` characters, the last of which is then an ellipsis. */
export function shortened(text: string, most: number): string {
  return Array.from(text).length <= most ? text : `${firstCharacters(text, most - 1)}…`
}
