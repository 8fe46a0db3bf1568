import type { LanguageTexts } from '@hansom/contract/languages'
import type { TableSpec } from '@hansom/contract/tables'

/** A text of a language with its English original. */
export interface TextRow {
  key: string
  english: string
  /** Empty if missing: English is shown. */
  text: string
  /** `missing`: no text, or still the initial copy. `changed`: differs from the release. */
  state: 'missing' | 'changed' | 'own'
}

export const textsTableSpec = {
  sorts: ['key', 'english'],
  defaultSort: 'key',
  filters: { state: { kind: 'choice', values: ['missing', 'changed'] } },
  searchable: true,
} as const satisfies TableSpec

/** All texts of a language as rows, sorted by key. */
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

/** The rows that match a search and a filter, sorted. All words must occur in the key or a text. */
export function matchingRows(
  rows: readonly TextRow[],
  { sort = 'key', q = '', state }: TextQuery,
): TextRow[] {
  const words = folded(q).split(/\s+/).filter(Boolean)
  const states = state?.split(',')
  const matching = rows.filter((row) => {
    if (states && !states.includes(row.state)) return false
    if (words.length === 0) return true
    const all = folded(`${row.key} ${row.english} ${row.text}`)
    return words.every((word) => all.includes(word))
  })
  const by = sort.replace('-', '') === 'english' ? 'english' : 'key'
  const direction = sort.startsWith('-') ? -1 : 1
  return matching.sort((a, b) => direction * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0))
}

/** A page of rows in the server's format. */
export function pageOf(
  rows: readonly TextRow[],
  query: TextQuery,
): { items: TextRow[]; next: string | null } {
  const from = Number(query.cursor ?? 0)
  const to = from + (query.limit ?? 100)
  const all = matchingRows(rows, query)
  return { items: all.slice(from, to), next: to < all.length ? String(to) : null }
}

/** A text on one line, with line breaks as \n, for single-line fields. */
export function onOneLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** The reverse of `onOneLine`. */
export function fromOneLine(line: string): string {
  return line.replace(/\\([n\\])/g, (_all, sign: string) => (sign === 'n' ? '\n' : '\\'))
}
