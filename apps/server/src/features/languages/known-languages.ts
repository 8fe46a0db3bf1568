import type { Language } from '@hansom/contract/languages'
import type { Texts } from '@hansom/domain/languages/plural-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { asc } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { languagesTable } from './table.ts'

/** A language with what the installation has made of it. */
export interface KnownLanguage extends Language {
  /** It comes with the release. */
  shipped: boolean
  /** It was taken away; it still completes others when it is English. */
  removed: boolean
  /** Texts that the installation changed or added. */
  own: Texts
  /** Keys of `own` that are still the copy the language began with. */
  copied: readonly string[]
  /** Null without a row. */
  id: string | null
  createdAt: number | null
  version: number
}

/** Everything known of languages: those of the release first, then the installation's own by age. Removed ones included. */
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
    const { langName, langLocale, dateLocale, direction, removed, copied, id, createdAt, version } = row
    byLocale.set(langLocale, {
      langName,
      langLocale,
      dateLocale,
      direction,
      default: row.isDefault,
      shipped: byLocale.get(langLocale)?.shipped ?? false,
      removed,
      own: row.keyValuePairs,
      copied,
      id,
      createdAt,
      version,
    })
  }
  const all = [...byLocale.values()]
  const chosen = rows.find((row) => row.isDefault)?.langLocale
  if (chosen === undefined) return { all }
  // A default chosen by the installation replaces the one that ships.
  const marked = all.map((language) => ({ ...language, default: language.langLocale === chosen }))
  return { all: marked }
}

/** What everybody may know of a language. */
export function shown({
  langName,
  langLocale,
  dateLocale,
  direction,
  default: isDefault,
}: KnownLanguage): Language {
  return { langName, langLocale, dateLocale, direction, default: isDefault }
}
