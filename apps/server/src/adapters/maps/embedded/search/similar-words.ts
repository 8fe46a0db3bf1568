/** A vocabulary word that a typed word may mean, and how well it fits, 0 to 1. */
export interface WordMatch {
  word: number
  fit: number
}

const mostKept = 64
const kept = new WeakMap<readonly string[], Map<string, WordMatch[]>>()

/**
 * Words within an edit distance of one (three letters or more) or two (eight or more, with the same first letter). A
 * word of three letters is compared with complete words only. Recent results are kept: one search needs them repeatedly.
 */
export function similarWords(
  vocabulary: readonly string[],
  typed: string,
  stillTyping: boolean,
): readonly WordMatch[] {
  const known = kept.get(vocabulary) ?? new Map<string, WordMatch[]>()
  kept.set(vocabulary, known)
  const key = `${typed}${stillTyping ? '*' : ''}`
  const found = known.get(key) ?? findSimilar(vocabulary, typed, stillTyping && typed.length > 3)
  if (known.size >= mostKept) known.clear()
  known.set(key, found)
  return found
}

function findSimilar(vocabulary: readonly string[], typed: string, stillTyping: boolean): WordMatch[] {
  const most = typed.length < 3 ? 0 : typed.length < 8 ? 1 : 2
  const found: WordMatch[] = []
  if (vocabulary.length === 0 || most === 0 || /^\d/.test(typed)) return found
  const letters = letterSet(typed)
  const { byLength, lengthStart, masks, first } = shapesOf(vocabulary)
  const firstLetter = typed.charCodeAt(0)
  const shortest = typed.length - most
  const longest = stillTyping ? lengthStart.length - 2 : Math.min(lengthStart.length - 2, typed.length + most)
  const end = shortest > longest ? 0 : (lengthStart[longest + 1] as number)
  for (let at = lengthStart[shortest] ?? end; at < end; at++) {
    const mask = masks[at] as number
    const reach = first[at] === firstLetter ? most : 1
    if (bits(letters & ~mask) > reach || (!stillTyping && bits(mask & ~letters) > reach)) continue
    const word = byLength[at] as number
    const candidate = vocabulary[word] as string
    const count = editDistance(typed, candidate, reach, stillTyping)
    if (count === 0 || count > reach) continue
    const longer = Math.min(0.15, 0.01 * Math.abs(candidate.length - typed.length))
    found.push({ word, fit: (count === 1 ? 0.8 : 0.62) - longer })
  }
  return found
}

interface Shapes {
  /** Words by length; words of n letters are at `lengthStart[n]` to `lengthStart[n + 1]`. */
  byLength: Uint32Array
  lengthStart: Uint32Array
  /** In the same order, the letters as a bit mask, to skip words that lack too many of the typed letters. */
  masks: Int32Array
  /** In the same order, the first letter. */
  first: Uint16Array
}

const knownShapes = new WeakMap<readonly string[], Shapes>()

function shapesOf(vocabulary: readonly string[]): Shapes {
  const known = knownShapes.get(vocabulary)
  if (known) return known
  const lengthOf = (word: number) => (vocabulary[word] as string).length
  const byLength = Uint32Array.from(vocabulary.keys()).sort((a, b) => lengthOf(a) - lengthOf(b))
  const longest = byLength.length === 0 ? 0 : lengthOf(byLength.at(-1) as number)
  const lengthStart = new Uint32Array(longest + 2)
  for (const word of vocabulary) lengthStart[word.length + 1] = (lengthStart[word.length + 1] as number) + 1
  for (let n = 1; n < lengthStart.length; n++) {
    lengthStart[n] = (lengthStart[n] as number) + (lengthStart[n - 1] as number)
  }
  const textAt = (word: number) => vocabulary[word] as string
  const shapes = {
    byLength,
    lengthStart,
    masks: Int32Array.from(byLength, (word) => letterSet(textAt(word))),
    first: Uint16Array.from(byLength, (word) => textAt(word).charCodeAt(0)),
  }
  knownShapes.set(vocabulary, shapes)
  return shapes
}

function letterSet(word: string): number {
  let set = 0
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31)
  return set
}

function bits(set: number): number {
  let rest = set - ((set >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

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
