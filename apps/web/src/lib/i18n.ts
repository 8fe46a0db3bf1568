import { languageCookie } from '@hansom/contract/boot'
import type { Language, LanguagePack } from '@hansom/contract/languages'
import { groupOf } from '@hansom/domain/languages/page-texts'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { createInstance } from 'i18next'
import { useSyncExternalStore } from 'react'
import { api } from './api.ts'
import { onDemand } from './on-demand.ts'

const engine = createInstance()
let languages: readonly Language[] = []
/** The groups of texts that are here, and single keys; null: all there are. */
let here: Set<string> | null = null
let current: Language = {
  langName: 'English',
  langLocale: 'en',
  dateLocale: 'en',
  default: true,
  direction: 'ltr',
}
let numbers = onDemand(() => new Intl.NumberFormat('en'))
let snapshot = { language: current, t: translate }
const listeners = new Set<() => void>()

/**
 * Translates a key; `params` fill placeholders, `count` picks the plural. An unknown key is shown as it is. What the types
 * know of a key has to be in the English pack; a plain `string` passes, for keys that the server sends. Keys that stand
 * alone, in a table of columns for one, are read by scripts/check-text-keys.mjs.
 */
export type Translate = <Key extends string>(
  key: string extends Key ? Key : Key extends TextKey ? Key : TextKey,
  params?: Record<string, unknown>,
) => string

const has = (name: string) => here === null || here.has(name) || here.has(groupOf(name))

/** The text of a key; one that its page did not bring is fetched, and shown a moment later. */
function find(key: string, params?: Record<string, unknown>): string {
  const found = params ? engine.t(key, params) : engine.t(key)
  if (found === key && /^\w+\.\w/.test(key) && !has(key) && !asked.has(groupOf(key))) {
    asked.add(groupOf(key))
    console.error(`The page was sent without the texts it needs: ${key}`)
    needTexts([groupOf(key)])?.then(tell, () => asked.delete(groupOf(key)))
  }
  return found
}
const asked = new Set<string>()

function translate(key: string, params?: Record<string, unknown>): string {
  if (!params) return find(key)
  // The number itself picks the plural; what is read is written as the language writes numbers.
  const replace = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'number' ? numbers().format(value) : value,
  ])
  return find(key, { ...params, replace: Object.fromEntries(replace) })
}

function apply(pack: LanguagePack): void {
  const { keyValuePairs, ...language } = pack
  engine.addResourceBundle(language.langLocale, 'translation', keyValuePairs, true, true)
  void engine.changeLanguage(language.langLocale)
  current = language
  numbers = onDemand(() => new Intl.NumberFormat(language.langLocale))
  if (typeof document !== 'undefined') {
    document.documentElement.lang = language.langLocale
    document.documentElement.dir = language.direction
  }
  tell()
}

/** Makes every component that shows texts render again. */
function tell(): void {
  // A new function each time, so that memoised parts notice the change.
  snapshot = { language: current, t: (key: string, params) => translate(key, params) }
  for (const listener of listeners) listener()
}

/** Starts with the pack the server sent with the page, which has the texts of these names, or one fetched before. */
export function startLanguage(
  pack: LanguagePack,
  available: readonly Language[],
  texts: readonly string[] | null = null,
): void {
  void engine.init({
    lng: pack.langLocale,
    fallbackLng: 'en',
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    resources: {},
  })
  languages = available
  here = texts && new Set(texts)
  apply(pack)
}

const read = (locale: string, names: Iterable<string> | null) =>
  api.languages.pack({ locale, ...(names ? { texts: [...names].join(',') } : {}) })

/**
 * Brings the texts of these groups and keys; nothing is answered when they are here. Throws an ApiError when they cannot
 * be had.
 */
export function needTexts(names: readonly string[]): Promise<void> | undefined {
  const missing = names.filter((name) => !has(name))
  return missing.length === 0 ? undefined : bring(missing)
}

async function bring(names: readonly string[]): Promise<void> {
  const { langLocale } = current
  const { keyValuePairs } = await read(langLocale, names)
  // The language was changed meanwhile, without these.
  if (langLocale !== current.langLocale) return bring(names)
  engine.addResourceBundle(langLocale, 'translation', keyValuePairs, true, true)
  for (const name of names) here?.add(name)
}

/** Changes the language of the page at once and of every later one. Throws an ApiError when the pack cannot be had. */
export async function changeLanguage(locale: string): Promise<void> {
  const pack = await read(locale, here)
  // The Cookie Store API is not everywhere yet
  document.cookie = `${languageCookie}=${encodeURIComponent(locale)}; path=/; max-age=31536000; samesite=lax`
  apply(pack)
}

/**
 * Reads the languages and the texts of the current one anew; when that is gone, those of the default one. Throws an
 * ApiError when they cannot be had.
 */
export async function refreshLanguages(): Promise<void> {
  const list = await api.languages.list()
  const next =
    list.find(({ langLocale }) => langLocale === current.langLocale) ?? list.find((one) => one.default)
  const pack = await read(next?.langLocale ?? 'en', here)
  languages = list
  apply(pack)
}

/** The locale asked for by the cookie, if any. */
export function chosenLocale(): string | null {
  const found = document.cookie.match(new RegExp(`(?:^|; )${languageCookie}=([^;]*)`))
  return found?.[1] ? decodeURIComponent(found[1]) : null
}

/** The languages to choose from. */
export function availableLanguages(): readonly Language[] {
  return languages
}

/** Texts of the current language outside of React. */
export const text: Translate = (key: string, params) => snapshot.t(key, params)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `t` and the current language; renders again when the language changes. */
export function useText(): { t: Translate; language: Language } {
  return useSyncExternalStore(
    subscribe,
    () => snapshot,
    () => snapshot,
  )
}
