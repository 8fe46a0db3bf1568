import { similarWords, type WordIndex, type WordMatch, wordsWithPrefix } from './word-index.ts'
import { wordWeight } from './words.ts'

/** A matching name: `fit` is how well the typed words match (1: every word completely), `score` is the sort key. */
export interface NameMatch {
  name: number
  fit: number
  score: number
}

/** Ranking signals of a name besides its words, 0 to 1 each. */
export interface RankSignals {
  importance(name: number): number
  nearness(name: number): number
}

const leastFit = 0.55
const goodFit = 0.82
/** A word that occurs in this many names is assumed to be correct, not a typo. */
const wellKnown = 3

/** Finds names by their words; the last one may be a prefix. Reuses its working memory: one search at a time. */
export class NameSearch {
  private readonly total: Float64Array
  private readonly current: Float64Array
  private readonly round: Uint32Array
  private readonly currentRound: Uint32Array
  private rounds = 0

  constructor(private readonly index: WordIndex) {
    const names = index.nameWeight.length
    this.total = new Float64Array(names)
    this.current = new Float64Array(names)
    this.round = new Uint32Array(names)
    this.currentRound = new Uint32Array(names)
  }

  /** Names that contain the words as typed; best first, at most `limit`. `keep` filters names. */
  findAsTyped(
    typed: string[],
    limit: number,
    signals: RankSignals,
    keep?: (name: number) => boolean,
  ): NameMatch[] {
    return this.rank(typed, this.asTyped(typed), limit, signals, keep)
  }

  /** Like `findAsTyped`, but allows typos if no name contains the words as typed. */
  find(typed: string[], limit: number, signals: RankSignals, keep?: (name: number) => boolean): NameMatch[] {
    const asTyped = this.asTyped(typed)
    const found = this.rank(typed, asTyped, limit, signals, keep)
    if ((found[0]?.fit ?? 0) > goodFit) return found
    const alike = typed.map((word, at) => {
      const known = asTyped[at] as WordMatch[]
      if (known.some((match) => match.fit === 1 && this.holders(match.word) >= wellKnown)) return known
      return [...known, ...similarWords(this.index.vocabulary, word, at === typed.length - 1)]
    })
    return this.rank(typed, alike, limit, signals, keep)
  }

  private asTyped(typed: string[]): WordMatch[][] {
    return typed.map((word, at) => wordsWithPrefix(this.index.vocabulary, word, at === typed.length - 1))
  }

  private holders(word: number): number {
    return (this.index.start[word + 1] as number) - (this.index.start[word] as number)
  }

  private rank(
    typed: string[],
    matches: WordMatch[][],
    limit: number,
    signals: RankSignals,
    keep: ((name: number) => boolean) | undefined,
  ): NameMatch[] {
    const touched: number[] = []
    const first = ++this.rounds
    let sum = 0
    typed.forEach((word, at) => {
      const weight = wordWeight(word)
      sum += weight
      this.add(matches[at] as WordMatch[], weight, first, touched)
    })
    if (sum === 0) return []
    const best: NameMatch[] = []
    for (const name of touched) {
      const fit = (this.total[name] as number) / sum
      if (fit < leastFit || (keep && !keep(name))) continue
      const covered = Math.min(1, (this.total[name] as number) / (this.index.nameWeight[name] as number))
      const score =
        0.6 * fit + 0.12 * covered + 0.2 * signals.importance(name) + 0.08 * signals.nearness(name)
      insert(best, { name, fit, score }, limit)
    }
    return best
  }

  /** Adds a typed word's weight to every name that contains a matching word, counting only its best match. */
  private add(matches: WordMatch[], weight: number, first: number, touched: number[]): void {
    const { start, names } = this.index
    const round = ++this.rounds
    for (const { word, fit } of matches) {
      const end = start[word + 1] as number
      for (let at = start[word] as number; at < end; at++) {
        const name = names[at] as number
        const gained = fit * weight
        const before = this.currentRound[name] === round ? (this.current[name] as number) : 0
        if (gained <= before) continue
        if ((this.round[name] as number) !== first) {
          this.round[name] = first
          this.total[name] = 0
          touched.push(name)
        }
        this.total[name] = (this.total[name] as number) + gained - before
        this.current[name] = gained
        this.currentRound[name] = round
      }
    }
  }
}

function insert(best: NameMatch[], match: NameMatch, limit: number): void {
  if (best.length === limit && match.score <= (best.at(-1) as NameMatch).score) return
  let at = best.length
  while (at > 0 && (best[at - 1] as NameMatch).score < match.score) at--
  best.splice(at, 0, match)
  if (best.length > limit) best.pop()
}
