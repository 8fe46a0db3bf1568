const longest = 60
const rows = [new Uint8Array(longest + 2), new Uint8Array(longest + 2), new Uint8Array(longest + 2)]

/**
 * Edit distance between two words: letters added, removed, replaced, or two adjacent ones swapped (restricted
 * Damerau-Levenshtein). With `begins`, the rest of `word` after the best match is free: `typed` may be its prefix.
 * Exact up to `most`; beyond that, and for words of more than 60 letters, it returns a number above `most`. Only fills
 * the band of the table that `most` edits can reach.
 */
export function editDistance(typed: string, word: string, most: number, begins: boolean): number {
  const tooMany = most + 1
  const width = Math.min(word.length, typed.length + most)
  if (typed.length > longest || word.length > longest) return tooMany
  if (!begins && Math.abs(word.length - typed.length) > most) return tooMany
  let [before, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= width; j++) last[j] = Math.min(j, tooMany)
  for (let i = 1; i <= typed.length; i++) {
    const letter = typed.charCodeAt(i - 1)
    const first = Math.max(1, i - most)
    const end = Math.min(width, i + most)
    row[first - 1] = first === 1 ? Math.min(i, tooMany) : tooMany
    if (end > i + most - 1) last[end] = tooMany
    let least = row[first - 1] as number
    for (let j = first; j <= end; j++) {
      const other = word.charCodeAt(j - 1)
      const changed = (last[j - 1] as number) + (letter === other ? 0 : 1)
      let cost = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, changed)
      if (i > 1 && j > 1 && letter === word.charCodeAt(j - 2) && typed.charCodeAt(i - 2) === other) {
        cost = Math.min(cost, (before[j - 2] as number) + 1)
      }
      row[j] = Math.min(cost, tooMany)
      if (cost < least) least = cost
    }
    if (least > most) return tooMany
    const spare = before
    before = last
    last = row
    row = spare
  }
  if (!begins) return last[width] as number
  let least = tooMany
  for (let j = Math.max(0, typed.length - most); j <= width; j++) least = Math.min(least, last[j] as number)
  return least
}
