import type { LanguageTexts } from '@hansom/contract/languages'
import type { TableSpec } from '@hansom/contract/tables'

/** One text of a language beside its English. */
export interface TextRow {
  key: string
  english: string
  /** Empty: none, so English is shown. */
  text: string
  /** `missing`: none, or still the copy the language began with. `changed`: another one than the release's. */
  state: 'missing' | 'changed' | 'own'
}

export const textsOffer = {
  sorts: ['key', 'english'],
  defaultSort: 'key',
  filters: { state: { kind: 'choice', values: ['missing', 'changed'] } },
  searchable: true,
} as const satisfies TableSpec

/** All texts of a language as rows, in the order of their keys. */
export function rowsOf({ english, texts, copied, changed }: LanguageTexts): TextRow[] {
  const copies = new Set(copied)
  const changes = new Set(changed)
  const stateOf = (key: string): TextRow['state'] => {
    if (!texts[key] || copies.has(key)) return 'missing'
    return changes.has(key) ? 'changed' : 'own'
  }
  return Object.keys(english)
    .sort()
    .map((key) => ({ key, english: english[key] ?? '', text: texts[key] ?? '', state: stateOf(key) }))
}

export interface TextQuery {
  sort?: string
  q?: string
  state?: string
  cursor?: string
  limit?: number
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The rows that a search and a filter leave, sorted. All words must occur, in the key or in a text. */
export function narrowed(rows: readonly TextRow[], { sort = 'key', q = '', state }: TextQuery): TextRow[] {
  const words = folded(q).split(/\s+/).filter(Boolean)
  const states = state?.split(',')
  const kept = rows.filter((row) => {
    if (states && !states.includes(row.state)) return false
    if (words.length === 0) return true
    const all = folded(`${row.key} ${row.english} ${row.text}`)
    return words.every((word) => all.includes(word))
  })
  const by = sort.replace('-', '') === 'english' ? 'english' : 'key'
  const turn = sort.startsWith('-') ? -1 : 1
  return kept.sort((a, b) => turn * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0))
}

/** A page of the rows, as a server would give it. */
export function pageOf(
  rows: readonly TextRow[],
  query: TextQuery,
): { items: TextRow[]; next: string | null } {
  const from = Number(query.cursor ?? 0)
  const to = from + (query.limit ?? 100)
  const all = narrowed(rows, query)
  return { items: all.slice(from, to), next: to < all.length ? String(to) : null }
}

/** A text on one line: breaks are written as \n, so that a field of one line keeps them. */
export function onOneLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** The text that was written on one line. */
export function fromOneLine(line: string): string {
  return line.replace(/\\([n\\])/g, (_all, sign: string) => (sign === 'n' ? '\n' : '\\'))
}
