import { compoundEnds, otherWords, smallWords, streetTypes, translatedTypes } from './abbreviations.ts'
import { lastCharacters, plainText, splitWords, umlautSpelling } from './plain-text.ts'

const meaningsOf = new Map<string, string[]>()
for (const table of [streetTypes, otherWords]) {
  for (const [full, short] of Object.values(table).flatMap(Object.entries)) {
    for (const word of short.split(' ')) {
      const known = meaningsOf.get(word)
      if (word === '' || known?.includes(full)) continue
      if (known) known.push(full)
      else meaningsOf.set(word, [full])
    }
  }
}
const small = new Set(Object.values(smallWords).flatMap((list) => list.split(' ')))
const types = new Set(Object.values(streetTypes).flatMap(Object.keys))
const common = new Set([...types, 'doctor', 'general'])
const translationsOf = new Map<string, string[]>()
for (const row of translatedTypes) {
  const all = row.split(' ')
  for (const word of all)
    translationsOf.set(word, [...(translationsOf.get(word) ?? []), ...all.filter((other) => other !== word)])
}
const none: string[] = []

/** The words of a name or a query in plain text; see `splitWords` for scripts without spaces. */
export function words(text: string): string[] {
  return splitWords(plainText(text))
}

/** What a word may stand for: the words that it abbreviates, in any language. Empty if it is no abbreviation. */
export function meanings(word: string): string[] {
  const known = meaningsOf.get(word)
  if (known) return known
  for (const [short, ends] of compoundEnds) {
    const stem = short.exec(word)?.[1]
    if (stem !== undefined) return ends.map((end) => stem + end)
  }
  return none
}

/** The part of a compound before a street type, "zurcher" of "zurcherstrasse"; null for other words. */
export function compoundStem(word: string): string | null {
  for (const [short, ends] of compoundEnds) {
    const end = ends.find((one) => word.endsWith(one))
    const stem = end === undefined ? short.exec(word)?.[1] : word.slice(0, -end.length)
    if (stem !== undefined && stem.length >= 3) return stem
  }
  return null
}

/** The same street type in other languages; empty for other words. */
export function translations(word: string): string[] {
  return translationsOf.get(word) ?? none
}

/** All words to index a name by: its own words, what they abbreviate, and other ways to type its letters. */
export function indexWords(text: string): string[] {
  const plain = plainText(text)
  const own = splitWords(plain)
  const spelled = umlautSpelling(text)
  return [
    ...own,
    ...own.flatMap(meanings),
    ...lastCharacters(plain),
    ...(spelled === null ? [] : words(spelled)),
  ]
}

/** A key that spelling variants of a name share: "Plaza de Cagancha" and "Plaza Cagancha" are equal. */
export function nameKey(name: string): string {
  const all = words(name)
  const telling = all.filter((word) => !small.has(word))
  return (telling.length > 0 ? telling : all).join(' ')
}

const mostKeys = 8

/** The keys of a name and of its readings with abbreviations spelled out, at most 8; empty for a name without words. */
export function nameKeys(name: string): string[] {
  const key = nameKey(name)
  if (key === '') return []
  let keys = ['']
  for (const word of key.split(' ')) {
    const readings = [word, ...meanings(word)]
    keys = keys.flatMap((start) => readings.map((reading) => `${start} ${reading}`)).slice(0, mostKeys)
  }
  return keys.map((one) => one.slice(1))
}

/** How much a word distinguishes a place, 0 to 1. */
export function wordWeight(word: string): number {
  if (small.has(word)) return 0.1
  if (word.length <= 2 && /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]/u.test(word)) return 0.5
  return common.has(word) || meaningsOf.get(word)?.some((meaning) => types.has(meaning)) ? 0.5 : 1
}
