import { numberKey, numberOrder } from './house-number-text.ts'
import { plainText, splitWords } from './plain-text.ts'
import { words } from './words.ts'

/** A reading of a search as a street and a house number. */
export interface NumberedReading {
  words: string[]
  number: number
  /** The complete number, see `numberKey`. */
  key: string
}

/** A parsed search: its words, its readings as a street with house number, its readings as an intersection. */
export interface Query {
  /** The text between commas. */
  parts: string[]
  words: string[]
  /** Words after the first comma. */
  hints: string[]
  numbered: NumberedReading[]
  intersections: [string[], string[]][]
}

const longest = 120
const mostWords = 8
const mostReadings = 4
const mostCorners = 2

/** Words between two streets, by language: es, ca, en, de, fr, pt, it, nl, sv, da, no, pl, ru, ar, Hebrew, hi. */
const between =
  'y|e|esq|esquina|con|i|amb|cantonada|and|at|und|ecke|et|angle|com|angolo|en|hoek|och|og|oraz|и|угол|و|تقاطع|פינת|और'
const corner = new RegExp(
  `\\s+(?:${between})\\.?\\s+|\\s+[x×@]\\s+|\\s*[&@]\\s*|\\s*/\\s*|\\s+و(?=شارع)`,
  'giu',
)

const isNumber = (word: string) => /^\d{1,5}(?:\p{L}{0,2}|bis|ter|quater)$/u.test(word)
/** What may follow a number as a part of it: a letter, "bis", a second number. */
const isSuffix = (word: string | undefined) => /^(?:\p{L}|bis|ter|quater|\d{1,4}\p{L}?)$/u.test(word ?? '')

/**
 * Parses a search. Words after a comma are hints ("18 de Julio 1234, Montevideo"), unless there are none but a number
 * before it ("12, rue de Rivoli"). A number is a house number before or after the street; of several, every one may be.
 */
export function readQuery(text: string): Query {
  const cut = text.slice(0, longest)
  const parts = cut
    .split(/[,،;，、]/)
    .map((part) => part.trim())
    .filter((part) => plainText(part) !== '')
  const isOnlyNumber =
    parts[0] !== undefined &&
    words(parts[0]).every((word) => isNumber(word) || isSuffix(word)) &&
    /\d/.test(plainText(parts[0]))
  const headParts = isOnlyNumber ? 2 : 1
  // "Hauptstrasse, 12, Vaduz": the number belongs to the street.
  const nextIsNumber = !isOnlyNumber && parts[1] !== undefined && words(parts[1]).every(isNumber)
  const head = parts.slice(0, headParts + (nextIsNumber ? 1 : 0))
  const plain = plainText(head.join(' '))
  const all = splitWords(plain).slice(0, mostWords)
  return {
    parts,
    words: all,
    hints: parts.slice(head.length).flatMap(words),
    numbered: numberedReadings(all),
    intersections: corners(cut),
  }
}

/** The last number first: more streets have a number in front of their name than after it. */
function numberedReadings(all: readonly string[]): NumberedReading[] {
  const found: NumberedReading[] = []
  for (let at = all.length - 1; at >= 0 && found.length < mostReadings; at--) {
    if (!isNumber(all[at] as string) || all.length === 1) continue
    const isLettered = at > 0 && /^\p{L}$/u.test(all[at - 1] as string)
    for (const [from, to] of [
      ...(isSuffix(all[at + 1]) ? ([[at, at + 2]] as const) : []),
      ...(isLettered ? ([[at - 1, at + 1]] as const) : []),
      [at, at + 1] as const,
    ]) {
      const rest = [...all.slice(0, from), ...all.slice(to)]
      const text = all.slice(from, to).join(' ')
      if (rest.length > 0 && found.length < mostReadings)
        found.push({ words: rest, number: numberOrder(text), key: numberKey(text) })
    }
  }
  return found
}

function corners(text: string): [string[], string[]][] {
  const found: [string[], string[]][] = []
  for (const match of text.matchAll(corner)) {
    const one = words(text.slice(0, match.index)).slice(0, mostWords)
    const other = words(text.slice(match.index + match[0].length).split(',')[0] as string).slice(0, mostWords)
    if (one.length > 0 && other.length > 0 && found.length < mostCorners) found.push([one, other])
  }
  return found
}
