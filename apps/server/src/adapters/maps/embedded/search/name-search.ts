import { TypedWord } from './typed-word.ts'
import { type WordIndex, wordNumber } from './word-index.ts'

/** A matching name: `fit` is how well the typed words match (1: every word completely), `score` is the sort key. */
export interface NameMatch {
  name: number
  fit: number
  /** The share of the query's known hints that the name or its locality contains. */
  hinted: number
  score: number
}

/** What to find besides the words. */
export interface NameQuery {
  /** Words that the name or its locality should contain, such as a town after a comma. */
  hints: readonly string[]
  limit: number
  /** Ranking signals of a name, 0 to 1 each. */
  importance(name: number): number
  nearness(name: number): number
  /** The names around the user, which are considered even if a word is too common to consider all names. */
  around(): Iterable<number>
  /** Filters names. */
  keep(name: number): boolean
}

const leastFit = 0.55
const goodFit = 0.82
const completeFit = 0.96
const manyNames = 3
const joinedFit = 0.95
/** A town's name in the query fits the street in that town, but less than the street's own name would. */
const localFit = 0.9
const mostWords = 8
const mostHints = 4
/**
 * The number of names that one word may contribute. Above it, only the most important ones are considered: names are
 * numbered by importance.
 */
const mostNames = 2_000
const mostCandidates = 5_000

/** Finds names by their words; the last one may be a prefix. Reuses its working memory: one search at a time. */
export class NameSearch {
  private readonly typed: TypedWord[]
  private readonly hinted: TypedWord[]
  private readonly seen: Uint32Array
  private readonly isLocalWord: Uint8Array
  private round = 0
  /** The vocabulary words of each locality. */
  private readonly localWords: number[][]

  /** `localities` are the words of each locality, `localityOf` is the locality of each name. */
  constructor(
    private readonly index: WordIndex,
    localities: readonly string[][],
    private readonly localityOf: Uint32Array,
  ) {
    this.isLocalWord = new Uint8Array(index.vocabulary.length)
    this.localWords = localities.map((all) =>
      all.map((word) => wordNumber(index.vocabulary, word)).filter((word) => word >= 0),
    )
    for (const word of this.localWords.flat()) this.isLocalWord[word] = 1
    const create = (count: number) =>
      Array.from({ length: count }, () => new TypedWord(index, this.isLocalWord))
    this.typed = create(mostWords)
    this.hinted = create(mostHints)
    this.seen = new Uint32Array(index.nameWeight.length)
  }

  /** Names that contain the words as typed; best first. At most 8 words and 4 hints count. */
  findAsTyped(words: readonly string[], query: NameQuery): NameMatch[] {
    return this.rank(this.read(words, query), query)
  }

  /**
   * Like `findAsTyped`, whose result may be passed, but allows typos unless names contain the words as typed: many as
   * the beginning of a word, or one completely.
   */
  find(words: readonly string[], query: NameQuery, asTyped = this.findAsTyped(words, query)): NameMatch[] {
    const bestFit = asTyped[0]?.fit ?? 0
    if (bestFit > completeFit || (bestFit > goodFit && asTyped.length >= manyNames)) return asTyped
    const typed = this.read(words, query)
    const added = typed.filter((word, at) => word.addSimilar(at === typed.length - 1))
    if (added.length === 0) return asTyped
    return this.rank(typed, query)
  }

  /** Whether every word is a part of a locality's name. */
  areLocal(words: readonly string[]): boolean {
    return words.every((word) => {
      const at = wordNumber(this.index.vocabulary, word)
      return at >= 0 && this.isLocalWord[at] === 1
    })
  }

  private read(words: readonly string[], { hints }: NameQuery): TypedWord[] {
    const typed = words.slice(0, mostWords).map((text, at, all) => {
      const word = this.typed[at] as TypedWord
      word.read(text, at === all.length - 1)
      return word
    })
    for (const [at, word] of typed.entries()) {
      const next = typed[at + 1]
      if (!next) break
      for (const part of [word, next]) part.addExact(word.text + next.text, joinedFit)
    }
    for (const [at, word] of this.hinted.entries()) word.read(hints[at] ?? '\n', false)
    return typed
  }

  private rank(typed: TypedWord[], query: NameQuery): NameMatch[] {
    const sum = typed.reduce((total, { weight }) => total + weight, 0)
    if (sum === 0) return []
    const hints = this.hinted.filter(({ touched }) => touched.length > 0)
    const best: NameMatch[] = []
    for (const name of this.candidates(typed, sum, query)) {
      const matched = this.matchedWeight(typed, name)
      const fit = matched / sum
      if (fit < leastFit) continue
      const reach = 0.6 * fit + 0.34 + 0.2 * query.importance(name)
      if (best.length === query.limit && reach <= (best.at(-1) as NameMatch).score) continue
      const covered = Math.min(1, matched / (this.index.nameWeight[name] as number))
      const hinted = this.hintedShare(hints, name)
      const score =
        0.6 * fit + 0.12 * covered + 0.2 * query.importance(name) + 0.12 * query.nearness(name) + 0.1 * hinted
      insert(best, { name, fit, hinted, score }, query.limit)
    }
    return best
  }

  /**
   * Every name that could fit well enough, and others. The rarest words come first; as soon as a name without them
   * cannot reach the least fit, the names of the other, more common words need not be considered.
   */
  private candidates(typed: readonly TypedWord[], sum: number, query: NameQuery): number[] {
    const found: number[] = []
    const round = ++this.round
    const consider = (name: number) => {
      if (this.seen[name] === round) return
      this.seen[name] = round
      if (query.keep(name)) found.push(name)
    }
    let reachable = sum
    let isCapped = false
    for (const word of typed.toSorted((a, b) => a.holders - b.holders)) {
      if (reachable / sum < leastFit || found.length > mostCandidates) break
      if (word.holders > mostNames) isCapped = true
      const end = word.holders > mostNames ? (this.seen.length * mostNames) / word.holders : this.seen.length
      for (const one of word.touched) this.eachName(one, end, consider)
      reachable -= word.weight * (word.isLocal ? 1 - localFit : 1)
    }
    if (isCapped) for (const name of query.around()) consider(name)
    return found
  }

  /** Calls `see` with the names below `end` that contain a word. */
  private eachName(word: number, end: number, see: (name: number) => void): void {
    const { start, names } = this.index
    const last = start[word + 1] as number
    for (let at = start[word] as number; at < last; at++) {
      const name = names[at] as number
      if (name >= end) return
      see(name)
    }
  }

  /** The sum of the typed words' weights, each times the fit of its best match in the name or its locality. */
  private matchedWeight(typed: readonly TypedWord[], name: number): number {
    const { wordStart, words } = this.index
    const [first, end] = [wordStart[name] as number, wordStart[name + 1] as number]
    let total = 0
    for (const { fits, weight, isLocal } of typed) {
      let fit = 0
      for (let at = first; at < end && fit < 1; at++) {
        const one = fits[words[at] as number] as number
        if (one > fit) fit = one
      }
      if (isLocal && fit < localFit) fit = Math.max(fit, localFit * this.fitOfLocality(fits, name))
      total += weight * fit
    }
    return total
  }

  private fitOfLocality(fits: Float32Array, name: number): number {
    let fit = 0
    for (const word of this.localWords[this.localityOf[name] as number] ?? [])
      fit = Math.max(fit, fits[word] as number)
    return fit
  }

  private hintedShare(hints: readonly TypedWord[], name: number): number {
    if (hints.length === 0) return 0
    const matched = hints.filter(
      (hint) =>
        this.fitOfLocality(hint.fits, name) > goodFit ||
        this.matchedWeight([hint], name) > goodFit * hint.weight,
    )
    return matched.length / hints.length
  }
}

function insert(best: NameMatch[], match: NameMatch, limit: number): void {
  if (best.length === limit && match.score <= (best.at(-1) as NameMatch).score) return
  let at = best.length
  while (at > 0 && (best[at - 1] as NameMatch).score < match.score) at--
  best.splice(at, 0, match)
  if (best.length > limit) best.pop()
}
