import type { Language } from '@hansom/contract/languages'
import type { Texts } from '@hansom/domain/languages/plural-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { asc } from 'drizzle-orm'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { languagesTable } from './table.ts'

/** A language with the installation's changes. */
export interface KnownLanguage extends Language {
  /** True when it comes with the release. */
  shipped: boolean
  /** True when it was removed; removed English still completes other languages. */
  removed: boolean
  /** Texts changed or added by the installation. */
  own: Texts
  /** Keys of `own` that are still copies from the language's creation. */
  copied: readonly string[]
  /** Null without a database row. */
  id: string | null
  createdAt: number | null
  version: number
}

/** All languages: the release's first, then the installation's own by age. Includes removed ones. */
export interface KnownLanguages {
  all: KnownLanguage[]
}

export async function readLanguages(db: Queries): Promise<KnownLanguages> {
  const rows = await db.select().from(languagesTable).orderBy(asc(languagesTable.createdAt))
  const byLocale = new Map<string, KnownLanguage>(
    shippedLanguages.map((language) => [
      language.langLocale,
      {
        ...language,
        shipped: true,
        removed: false,
        own: {},
        copied: [],
        id: null,
        createdAt: null,
        version: 0,
      },
    ]),
  )
  for (const row of rows) {
    const { langName, langLocale, dateLocale, direction, removed, id, createdAt, version } = row
    const shipped = byLocale.has(langLocale)
    byLocale.set(langLocale, {
      langName,
      langLocale,
      dateLocale,
      direction,
      default: row.isDefault,
      shipped,
      removed,
      // Copies made before the release shipped the language would hide the release's texts.
      own: shipped ? omit(row.keyValuePairs, row.copied) : row.keyValuePairs,
      copied: shipped ? [] : row.copied,
      id,
      createdAt,
      version,
    })
  }
  const all = [...byLocale.values()]
  const chosen = rows.find((row) => row.isDefault)?.langLocale
  if (chosen === undefined) return { all }
  // A default chosen by the installation replaces the shipped one.
  const marked = all.map((language) => ({ ...language, default: language.langLocale === chosen }))
  return { all: marked }
}

function omit(texts: Texts, keys: readonly string[]): Texts {
  const left = new Set(keys)
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !left.has(key)))
}

/** The public fields of a language. */
export function publicFields({
  langName,
  langLocale,
  dateLocale,
  direction,
  default: isDefault,
}: KnownLanguage): Language {
  return { langName, langLocale, dateLocale, direction, default: isDefault }
}

/** Blocks other language changes until the transaction ends. */
export async function lockLanguages({ client }: Transaction): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('hansom.languages'))`)
}
