import { ApiError } from '@hansom/client/api-error'
import type { AdminLanguage, LanguageTexts } from '@hansom/contract/languages'
import { rowsOf, type TextRow } from './text-rows.ts'

/** Saves texts against a version and returns the updated language. Throws ApiError. */
export type SendTexts = (version: number, texts: Record<string, string | null>) => Promise<AdminLanguage>

/**
 * The texts of a language being edited. The server versions the language, not each text: edits are sent one after the
 * other, each against the version of the previous response, and changes of other texts by others are no conflict.
 */
export class TextsStore {
  #texts: LanguageTexts
  #rows: TextRow[]
  #queue: Promise<unknown> = Promise.resolve()
  readonly #send: SendTexts
  readonly #read: () => Promise<LanguageTexts>

  /** `read` returns the texts as they are stored. */
  constructor(texts: LanguageTexts, send: SendTexts, read: () => Promise<LanguageTexts>) {
    this.#texts = texts
    this.#rows = rowsOf(texts)
    this.#send = send
    this.#read = read
  }

  get rows(): readonly TextRow[] {
    return this.#rows
  }

  get texts(): LanguageTexts {
    return this.#texts
  }

  /** Saves one text; empty removes it. Throws a conflict with the other user's row in `data.current`. */
  save(key: string, text: string): Promise<TextRow> {
    const before = this.#texts.texts[key] ?? ''
    const work = this.#queue.then(() => this.#saveNow({ [key]: text }, { [key]: before }))
    this.#queue = work.catch(() => {})
    return work.then(() => this.#row(key))
  }

  /** Saves several texts in one request. */
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
        if (Object.values(sent).includes(null)) await this.#readRemoved()
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

  /** Only the server knows the texts of the release, which appear when changed ones are removed. */
  async #readRemoved(): Promise<void> {
    try {
      this.#texts = await this.#read()
      this.#rows = rowsOf(this.#texts)
    } catch {
      // The change is saved; the removed texts stay empty until a reload.
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
    // Only the server knows which texts differ from the release: until a reload, all saved texts count as changed.
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
