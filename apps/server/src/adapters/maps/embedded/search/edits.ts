const rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)]

/**
 * Typing slips between two words: letters added, left out, changed or two neighbours swapped (restricted
 * Damerau-Levenshtein). With `begins`, what `word` has beyond the best match is not counted: `typed` may be its beginning.
 * Gives up with a number above `most`. Words of more than 60 letters never match.
 */
export function slips(typed: string, word: string, most: number, begins: boolean): number {
  const width = word.length
  if (typed.length > 60 || width > 60) return most + 1
  let [before, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= width; j++) last[j] = j
  for (let i = 1; i <= typed.length; i++) {
    const letter = typed.charCodeAt(i - 1)
    row[0] = i
    let least = i
    for (let j = 1; j <= width; j++) {
      const other = word.charCodeAt(j - 1)
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (letter === other ? 0 : 1),
      )
      if (i > 1 && j > 1 && letter === word.charCodeAt(j - 2) && typed.charCodeAt(i - 2) === other) {
        cost = Math.min(cost, (before[j - 2] as number) + 1)
      }
      row[j] = cost
      if (cost < least) least = cost
    }
    if (least > most) return most + 1
    const spare = before
    before = last
    last = row
    row = spare
  }
  if (!begins) return last[width] as number
  let least = most + 1
  for (let j = Math.max(0, typed.length - most); j <= width; j++) least = Math.min(least, last[j] as number)
  return least
}
