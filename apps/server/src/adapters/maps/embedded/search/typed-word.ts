import { kindVocabulary } from './kind-words.ts'
import { similarWords } from './similar-words.ts'
import { eachWithPrefix, type WordIndex, wordNumber } from './word-index.ts'
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
    eachWithPrefix(vocabulary, text, stillTyping, (word, fit) => this.add(word, fit))
    for (const meaning of meanings(text)) this.addExact(meaning, meaningFit)
    for (const other of translations(text)) this.addExact(other, translationFit)
    const stem = compoundStem(text)
    if (stem !== null) this.addExact(stem, compoundFit)
    const isKindPrefix = stillTyping && text.length >= shortestKindPrefix
    eachWithPrefix(kindWords, text, isKindPrefix, (word, fit) => this.addKind(word, fit))
  }

  /** Adds words that differ by a typo, unless the word is known as typed. Returns whether there are any. */
  addSimilar(stillTyping: boolean): boolean {
    if (this.isKnown) return false
    const before = this.touched.length
    for (const { word, fit } of similarWords(this.index.vocabulary, this.text, stillTyping))
      this.add(word, fit)
    for (const { word, fit } of similarWords(kindWords, this.text, stillTyping)) this.addKind(word, fit)
    return this.touched.length > before
  }

  addExact(text: string, fit: number): void {
    const word = wordNumber(this.index.vocabulary, text)
    if (word >= 0) this.add(word, fit)
  }

  private addKind(kindWord: number, fit: number): void {
    for (const token of kindMeanings.get(kindWords[kindWord] as string) ?? []) this.addExact(token, fit)
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
