import type { Language, LanguagePack } from '@hansom/contract/languages'
import { Refusal } from '@hansom/domain/error-keys'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { asc } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { readShippedPacks } from './shipped-packs.ts'
import { languagesTable } from './table.ts'

export interface LanguagesService {
  /** Shipped languages first, then the installation's own. Exactly one is the default. */
  list(): Promise<Language[]>
  /** The texts of one language, completed from English. Throws not_found for a language that does not exist. */
  pack(locale: string): Promise<LanguagePack>
  /** The first of `wanted` that exists, also without its region ("es-UY" finds "es"); otherwise the default. */
  choose(wanted: readonly string[]): Promise<Language>
}

/** A language with the texts that the installation changed or added. */
type KnownLanguage = Language & { own: Record<string, string> }

const freshMs = 2_000

/** Packs of the release, under the texts an installation has changed; kept in memory for two seconds. */
export function createLanguagesService(deps: { database: Database }): LanguagesService {
  const shipped = readShippedPacks()
  let known: { languages: KnownLanguage[]; until: number } | undefined

  const languages = async () => {
    if (known !== undefined && known.until > performance.now()) return known.languages
    const read = await readLanguages(deps.database)
    known = { languages: read, until: performance.now() + freshMs }
    return read
  }

  return {
    list: async () => (await languages()).map(shown),
    pack: async (locale) => {
      const all = await languages()
      const language = all.find((one) => one.langLocale === locale)
      if (language === undefined) throw new Refusal('not_found')
      const english = all.find((one) => one.langLocale === 'en')
      const keyValuePairs = {
        ...shipped.get('en'),
        ...english?.own,
        ...shipped.get(locale),
        ...language.own,
      }
      return { ...shown(language), keyValuePairs }
    },
    choose: async (wanted) => {
      const all = await languages()
      for (const locale of wanted) {
        const lower = locale.toLowerCase()
        const found =
          all.find((one) => one.langLocale.toLowerCase() === lower) ??
          all.find((one) => one.langLocale.toLowerCase() === lower.split('-', 1)[0])
        if (found !== undefined) return shown(found)
      }
      const fallback = all.find((one) => one.default) ?? all[0]
      if (fallback === undefined) throw new Error('there is no language')
      return shown(fallback)
    },
  }
}

async function readLanguages(database: Database): Promise<KnownLanguage[]> {
  const rows = await database.db.select().from(languagesTable).orderBy(asc(languagesTable.createdAt))
  const byLocale = new Map<string, KnownLanguage>(
    shippedLanguages.map((language) => [language.langLocale, { ...language, own: {} }]),
  )
  for (const row of rows) {
    const { langName, langLocale, dateLocale, direction } = row
    byLocale.set(langLocale, {
      langName,
      langLocale,
      dateLocale,
      direction,
      default: row.isDefault,
      own: row.keyValuePairs,
    })
  }
  const all = [...byLocale.values()]
  // A default chosen by the installation replaces the one that ships.
  const chosen = rows.find((row) => row.isDefault)?.langLocale
  if (chosen === undefined) return all
  return all.map((language) => ({ ...language, default: language.langLocale === chosen }))
}

function shown({ own: _own, ...language }: KnownLanguage): Language {
  return language
}
