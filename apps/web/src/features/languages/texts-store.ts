import type { LanguageTexts, AdminLanguage } from '@hansom/contract/languages'
import { ApiError } from '../../lib/api-error.ts'
import { rowsOf, type TextRow } from './text-rows.ts'

/** Sends some texts over a version; answers with the language as it is then. Throws ApiError. */
export type SendTexts = (version: number, texts: Record<string, string | null>) => Promise<AdminLanguage>

/**
 * The texts of a language under edit. The server counts versions of the whole language: edits of several texts are sent
 * one after the other, each over what the one before has made, and what others have done to other texts is no conflict.
 */
export class TextsStore {
  #texts: LanguageTexts
  #rows: TextRow[]
  #queue: Promise<unknown> = Promise.resolve()
  readonly #send: SendTexts

  constructor(texts: LanguageTexts, send: SendTexts) {
    this.#texts = texts
    this.#rows = rowsOf(texts)
    this.#send = send
  }

  get rows(): readonly TextRow[] {
    return this.#rows
  }

  get texts(): LanguageTexts {
    return this.#texts
  }

  /** Saves one text; empty takes it back. A conflict is thrown with the row of the other one in `data.current`. */
  save(key: string, text: string): Promise<TextRow> {
    const before = this.#texts.texts[key] ?? ''
    const work = this.#queue.then(() => this.#saveNow({ [key]: text }, { [key]: before }))
    this.#queue = work.catch(() => {})
    return work.then(() => this.#row(key))
  }

  /** Saves several texts at once. */
  saveAll(texts: Readonly<Record<string, string>>): Promise<AdminLanguage> {
    const before = Object.fromEntries(Object.keys(texts).map((key) => [key, this.#texts.texts[key] ?? '']))
    const work = this.#queue.then(() => this.#saveNow(texts, before))
    this.#queue = work.catch(() => {})
    return work
  }

  async #saveNow(
    texts: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
  ): Promise<AdminLanguage> {
    const sent = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text || null]))
    for (;;) {
      try {
        const language = await this.#send(this.#texts.version, sent)
        this.#take(language, texts)
        return language
      } catch (error) {
        const isConflict = error instanceof ApiError && error.key === 'conflict'
        const current = isConflict ? (error.data.current as LanguageTexts | undefined) : undefined
        if (!current || current.version <= this.#texts.version) throw error
        this.#texts = current
        this.#rows = rowsOf(current)
        const clash = Object.keys(texts).find((key) => {
          const theirs = current.texts[key] ?? ''
          return theirs !== before[key] && theirs !== texts[key]
        })
        if (clash !== undefined) {
          throw new ApiError('conflict', 409, { data: { current: this.#row(clash) } })
        }
      }
    }
  }

  #take(language: AdminLanguage, saved: Readonly<Record<string, string>>): void {
    const { texts, english } = this.#texts
    const written = new Set(Object.keys(saved))
    const next: Record<string, string> = { ...texts }
    for (const [key, text] of Object.entries(saved)) {
      if (text) next[key] = text
      else delete next[key]
    }
    // What a text that was taken back reads as now, and which texts differ from the release's, the server knows better:
    // until the texts are read again they count as changed.
    const changed = [...new Set([...this.#texts.changed, ...Object.keys(saved)])].filter((key) => next[key])
    const copied = this.#texts.copied.filter((key) => !written.has(key))
    this.#texts = { ...this.#texts, ...language, english, texts: next, changed, copied }
    this.#rows = rowsOf(this.#texts)
  }

  #row(key: string): TextRow {
    const row = this.#rows.find((one) => one.key === key)
    if (row === undefined) throw new Error(`there is no text ${key}`)
    return row
  }
}
