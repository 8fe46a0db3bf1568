import { kindVocabulary } from './kind-words.ts'
import { similarWords, type WordMatch } from './similar-words.ts'
import { type WordIndex, wordNumber, wordsWithPrefix } from './word-index.ts'
import { compoundStem, meanings, translations, wordWeight } from './words.ts'

const meaningFit = 0.98
const translationFit = 0.85
const compoundFit = 0.92
/** A word that occurs in this many names is assumed to be correct, not a typo. */
const wellKnown = 3
const shortestKindPrefix = 3

const kindMeanings = kindVocabulary()
const kindWords = [...kindMeanings.keys()].sort()

/** The vocabulary words that one typed word may mean, with their fit. Reused from search to search. */
export class TypedWord {
  /** The fit of each vocabulary word, 0 for most. */
  readonly fits: Float32Array
  readonly touched: number[] = []
  text = ''
  weight = 0
  /** The number of names with one of the words, counting a name once for each. */
  holders = 0
  /** Whether it may be the name of a locality. */
  isLocal = false
  /** Whether it is surely spelled as intended. */
  isKnown = false

  constructor(
    private readonly index: WordIndex,
    private readonly isLocalWord: Uint8Array,
  ) {
    this.fits = new Float32Array(index.vocabulary.length)
  }

  /** Sets the word and its meanings as typed; `stillTyping` allows it to be the beginning of a word. */
  read(text: string, stillTyping: boolean): void {
    for (const word of this.touched) this.fits[word] = 0
    this.touched.length = 0
    this.text = text
    this.weight = wordWeight(text)
    this.holders = 0
    this.isLocal = false
    this.isKnown = false
    const { vocabulary } = this.index
    this.addAll(wordsWithPrefix(vocabulary, text, stillTyping))
    for (const meaning of meanings(text)) this.addExact(meaning, meaningFit)
    for (const other of translations(text)) this.addExact(other, translationFit)
    const stem = compoundStem(text)
    if (stem !== null) this.addExact(stem, compoundFit)
    this.addKinds(wordsWithPrefix(kindWords, text, stillTyping && text.length >= shortestKindPrefix))
  }

  /** Adds words that differ by a typo, unless the word is known as typed. */
  addSimilar(stillTyping: boolean): void {
    if (this.isKnown) return
    this.addAll(similarWords(this.index.vocabulary, this.text, stillTyping))
    this.addKinds(similarWords(kindWords, this.text, stillTyping))
  }

  addExact(text: string, fit: number): void {
    const word = wordNumber(this.index.vocabulary, text)
    if (word >= 0) this.add(word, fit)
  }

  private addAll(matches: readonly WordMatch[]): void {
    for (const { word, fit } of matches) this.add(word, fit)
  }

  private addKinds(matches: readonly WordMatch[]): void {
    for (const { word, fit } of matches)
      for (const token of kindMeanings.get(kindWords[word] as string) ?? []) this.addExact(token, fit)
  }

  private add(word: number, fit: number): void {
    const before = this.fits[word] as number
    if (fit <= before) return
    this.fits[word] = fit
    if (before > 0) return
    this.touched.push(word)
    const holders = (this.index.start[word + 1] as number) - (this.index.start[word] as number)
    this.holders += holders
    // A number is a postcode only if it is complete: "9" is a house number, not the beginning of "9490".
    if (this.isLocalWord[word] === 1 && (fit === 1 || !/^\d/.test(this.text))) this.isLocal = true
    if (fit >= meaningFit && holders >= wellKnown) this.isKnown = true
  }
}
