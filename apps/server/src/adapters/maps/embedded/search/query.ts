import { words } from './words.ts'

/** A parsed search: all words, its reading as a street with house number, its readings as an intersection. */
export interface Query {
  words: string[]
  numbered: { words: string[]; number: number } | null
  intersections: [string[], string[]][]
}

const longest = 120
const mostWords = 8
const corner = /\s+(?:y|e|esq\.?|esquina|con|&)\s+|\s*[/&]\s*/giu

/**
 * Parses a search. Text after a comma is a location hint ("18 de Julio 1234, Montevideo") and is dropped unless nothing
 * precedes it. A number is a house number unless it is the first word ("18 de Julio").
 */
export function readQuery(text: string): Query {
  const cut = text.slice(0, longest)
  const head = words(cut.split(',')[0] ?? '')
  const all = (head.length > 0 ? head : words(cut)).slice(0, mostWords)
  const at = all.findLastIndex((word, index) => index > 0 && /^\d{1,5}$/.test(word))
  const numbered = at > 0 ? { words: all.filter((_, index) => index !== at), number: Number(all[at]) } : null
  const corners: [string[], string[]][] = []
  for (const match of cut.matchAll(corner)) {
    const one = words(cut.slice(0, match.index)).slice(0, mostWords)
    const other = words(cut.slice(match.index + match[0].length)).slice(0, mostWords)
    if (one.length > 0 && other.length > 0 && corners.length < 2) corners.push([one, other])
  }
  return { words: all, numbered, intersections: corners }
}
