import type { AdminLanguage, Language, LanguagePack, LanguageTexts } from '@hansom/contract/languages'
import { Refusal } from '@hansom/domain/error-keys'
import { findLanguage } from '@hansom/domain/languages/find-language'
import { pickTexts, type TextNames } from '@hansom/domain/languages/page-texts'
import { completeTexts } from '@hansom/domain/languages/plural-keys'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SettingsService } from '../settings/service.ts'
import { adminLanguage, languageTexts, type Packs } from './admin-view.ts'
import { createLanguageEditor, type LanguageAdmin } from './editor.ts'
import { type KnownLanguages, publicFields, readLanguages } from './known-languages.ts'
import { readShippedPacks } from './shipped-packs.ts'

export interface LanguagesService {
  /** Shipped languages first, then the installation's own. Exactly one is the default. */
  list(): Promise<Language[]>
  /**
   * Returns the texts of one language, completed from English: all, or the named ones. Throws not_found for an unknown
   * language.
   */
  pack(locale: string, names?: TextNames): Promise<LanguagePack>
  /** Returns the first of `wanted` that exists, also in another region ("es-UY" finds "es"); otherwise the default. */
  choose(wanted: readonly string[]): Promise<Language>
  /** Returns the language a page starts in: the visitor's choice, otherwise the default. */
  start(chosen: string | null): Promise<Language>
  /** Returns all languages with their translation progress. */
  manage(): Promise<AdminLanguage[]>
  /** Returns one language with its texts. Throws not_found. */
  texts(locale: string): Promise<LanguageTexts>
  admin: LanguageAdmin
}

export interface LanguagesDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  settings: Pick<SettingsService, 'current' | 'languagesChanged' | 'onChange'>
}

const freshMs = 2_000

/** Serves the packs of the installation's category with the texts that the installation changed; cached for two seconds. */
export function createLanguagesService(deps: LanguagesDeps): LanguagesService {
  const packs = readShippedPacks()
  let known: { languages: KnownLanguages; until: number } | undefined
  let seenVersion: number | undefined

  let generation = 0
  const forget = () => {
    known = undefined
    generation++
  }
  // After a published change, a client must not get texts from before it.
  deps.settings.onChange(({ languagesVersion }) => {
    if (languagesVersion !== seenVersion) forget()
    seenVersion = languagesVersion
  })

  const read = async () => {
    if (known !== undefined && known.until > performance.now()) return known.languages
    const startGeneration = generation
    const languages = await readLanguages(deps.database.db)
    // A read that started before a change must not be cached after it.
    if (startGeneration === generation) known = { languages, until: performance.now() + freshMs }
    return languages
  }
  const packsOf = async ({ all }: KnownLanguages): Promise<Packs> => {
    const shipped = packs[(await deps.settings.current()).category]
    const own = all.find((one) => one.langLocale === 'en')?.own
    return { shipped, english: { ...shipped.get('en'), ...own } }
  }
  const present = ({ all }: KnownLanguages) => all.filter((one) => !one.removed)

  const find = (all: KnownLanguages, wanted: readonly string[]) => {
    const found = wanted.map((locale) => findLanguage(present(all), locale)).find((one) => one !== undefined)
    return found ? publicFields(found) : null
  }
  const fallback = (all: KnownLanguages) => {
    const available = present(all)
    const found = available.find((one) => one.default) ?? available[0]
    if (found === undefined) throw new Error('no language exists')
    return publicFields(found)
  }

  return {
    list: async () => present(await read()).map(publicFields),
    pack: async (locale, names) => {
      const all = await read()
      const language = present(all).find((one) => one.langLocale === locale)
      if (language === undefined) throw new Refusal('not_found')
      const { shipped, english } = await packsOf(all)
      const texts = { ...shipped.get(locale), ...language.own }
      const complete = completeTexts(locale, texts, english)
      return { ...publicFields(language), keyValuePairs: names ? pickTexts(complete, names) : complete }
    },
    choose: async (wanted) => {
      const all = await read()
      return find(all, wanted) ?? fallback(all)
    },
    start: async (chosen) => {
      const all = await read()
      return (chosen === null ? null : find(all, [chosen])) ?? fallback(all)
    },
    manage: async () => {
      const all = await readLanguages(deps.database.db)
      const packs = await packsOf(all)
      return present(all).map((language) => adminLanguage(language, packs))
    },
    texts: async (locale) => {
      const all = await readLanguages(deps.database.db)
      const language = present(all).find((one) => one.langLocale === locale)
      if (language === undefined) throw new Refusal('not_found')
      return languageTexts(language, await packsOf(all))
    },
    admin: createLanguageEditor({ ...deps, packsOf, present }),
  }
}
