import { column, type Pack } from '../pack.ts'
import { lowerBound } from './sorted-rows.ts'
import { TextBlock, textColumns } from './text-block.ts'
import { indexWords, words, wordWeight } from './words.ts'

/**
 * Index between words and names. `vocabulary` is sorted; the names with word i are `names` from `start[i]` to
 * `start[i + 1]`, ascending; the words of name n are `words` from `wordStart[n]` to `wordStart[n + 1]`; `nameWeight` is
 * the sum of the weights of a name's own words.
 */
export interface WordIndex {
  vocabulary: string[]
  start: Uint32Array
  names: Uint32Array
  wordStart: Uint32Array
  words: Uint32Array
  nameWeight: Float64Array
}

export interface IndexedName {
  text: string
  /** Other names and spellings. */
  alsoKnownAs: readonly string[]
  /** A pseudo-word that no text contains, see `kindToken`. */
  token?: string | undefined
}

/** The columns of the index of these names; `extraWords` are in the vocabulary without belonging to a name. */
export function wordIndexColumns(names: readonly IndexedName[], extraWords: Iterable<string>): Pack {
  const holders = new Map<string, number[]>()
  const nameWeight = new Float64Array(names.length)
  for (const word of extraWords) holders.set(word, [])
  names.forEach(({ text, alsoKnownAs, token }, name) => {
    const own = new Set(words(text))
    for (const word of own) nameWeight[name] = (nameWeight[name] as number) + wordWeight(word)
    const all = new Set(indexWords(text))
    for (const other of alsoKnownAs) for (const word of indexWords(other)) all.add(word)
    if (token !== undefined) all.add(token)
    for (const word of all) {
      const list = holders.get(word)
      if (list) list.push(name)
      else holders.set(word, [name])
    }
  })
  const vocabulary = [...holders.keys()].sort()
  const start = new Uint32Array(vocabulary.length + 1)
  vocabulary.forEach((word, index) => {
    start[index + 1] = (start[index] as number) + (holders.get(word) as number[]).length
  })
  const all = new Uint32Array(start[vocabulary.length] as number)
  vocabulary.forEach((word, index) => {
    all.set(holders.get(word) as number[], start[index] as number)
  })
  return {
    ...textColumns('vocabulary', [vocabulary.join('\n')]),
    postingStart: start,
    postings: all,
    nameWeight,
  }
}

/** The index from its columns. Throws if a column is missing. */
export function wordIndexFrom(pack: Pack): WordIndex {
  const text = new TextBlock(pack, 'vocabulary').at(0)
  const vocabulary = text === '' ? [] : text.split('\n')
  const start = column(pack, 'postingStart', 'Uint32Array')
  const names = column(pack, 'postings', 'Uint32Array')
  const nameWeight = column(pack, 'nameWeight', 'Float64Array')
  return { vocabulary, start, names, nameWeight, ...wordsByName(start, names, nameWeight.length) }
}

function wordsByName(start: Uint32Array, names: Uint32Array, count: number) {
  const wordStart = new Uint32Array(count + 1)
  for (const name of names) wordStart[name + 1] = (wordStart[name + 1] as number) + 1
  for (let name = 0; name < count; name++)
    wordStart[name + 1] = (wordStart[name + 1] as number) + (wordStart[name] as number)
  const next = wordStart.slice()
  const words = new Uint32Array(names.length)
  for (let word = 0; word + 1 < start.length; word++) {
    const end = start[word + 1] as number
    for (let at = start[word] as number; at < end; at++) {
      const name = names[at] as number
      const slot = next[name] as number
      words[slot] = word
      next[name] = slot + 1
    }
  }
  return { wordStart, words }
}

/** The index of a word in the sorted vocabulary; -1 if it is not there. */
export function wordNumber(vocabulary: readonly string[], word: string): number {
  const at = lowerBound(0, vocabulary.length, (index) => (vocabulary[index] as string) < word)
  return vocabulary[at] === word ? at : -1
}

/**
 * Calls `see` with the words that have the typed prefix, and their fit: 1 for the word itself, less the longer the rest.
 */
export function eachWithPrefix(
  vocabulary: readonly string[],
  typed: string,
  stillTyping: boolean,
  see: (word: number, fit: number) => void,
): void {
  const { length } = vocabulary
  const first = lowerBound(0, length, (word) => (vocabulary[word] as string) < typed)
  const last = `${typed}\uffff`
  const isLonger = stillTyping || typed.length >= 3
  const end = isLonger
    ? lowerBound(first, length, (word) => (vocabulary[word] as string) <= last)
    : Math.min(length, first + 1)
  const [base, more] = stillTyping ? [0.85, 0.1] : [0.6, 0.2]
  for (let word = first; word < end; word++) {
    const text = vocabulary[word] as string
    if (text.length > typed.length) {
      if (isLonger) see(word, base + (more * typed.length) / text.length)
    } else if (text === typed) see(word, 1)
  }
}
