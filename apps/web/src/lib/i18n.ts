import { type Boot, languageCookie } from '@hansom/contract/boot'
import type { Language, LanguagePack } from '@hansom/contract/languages'
import { findLanguage, languageOf } from '@hansom/domain/languages/find-language'
import { groupOf } from '@hansom/domain/languages/page-texts'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { textLimits } from '@hansom/domain/languages/text-limits'
import { createInstance } from 'i18next'
import { useSyncExternalStore } from 'react'
import { api } from './api.ts'

const engine = createInstance()
let languages: readonly Language[] = []
/** Text groups and single keys loaded so far; null means all of them. */
let loaded: Set<string> | null = null
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
 * Translates a key. `params` fill placeholders, `count` picks the plural; an unknown key is returned as is. A literal
 * key must exist in the English pack; a plain `string` passes, for keys that the server sends.
 * scripts/check-text-keys.mjs checks keys in data, such as column headers.
 */
export type Translate = <Key extends string>(
  key: string extends Key ? Key : Key extends TextKey ? Key : TextKey,
  params?: Record<string, unknown>,
) => string

const has = (name: string) => loaded === null || loaded.has(name) || loaded.has(groupOf(name))

/**
 * Returns the text of a key. If the page came without it, its group is fetched and the texts update when it arrives.
 */
function find(key: string, params?: Record<string, unknown>): string {
  const found = params ? engine.t(key, params) : engine.t(key)
  if (found === key && /^\w+\.\w/.test(key) && !has(key) && !asked.has(groupOf(key))) {
    asked.add(groupOf(key))
    console.error(`Missing texts on this page: ${key}`)
    ensureTexts([groupOf(key)])?.then(notifyListeners, () => asked.delete(groupOf(key)))
  }
  return found
}
const asked = new Set<string>()

function translate(key: string, params?: Record<string, unknown>): string {
  if (!params) return find(key)
  // `count` picks the plural as a number; displayed numbers are formatted for the language.
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
  numbers = onDemand(() => new Intl.NumberFormat(language.langLocale, { useGrouping: 'always' }))
  if (typeof document !== 'undefined') {
    document.documentElement.lang = language.langLocale
    document.documentElement.dir = language.direction
    loadFont(language.langLocale)
  }
  notifyListeners()
}

/** The fonts of scripts that the fonts of every page lack. */
const fonts: Readonly<Record<string, () => Promise<unknown>>> = {
  hi: () => import('@fontsource-variable/noto-sans-devanagari/wght.css'),
  zh: () => import('@fontsource-variable/noto-sans-sc/wght.css'),
}

/** Loads the font of a language's script. Until it has arrived, and without it, the device's own font is used. */
export function loadFont(locale: string): void {
  fonts[languageOf(locale)]?.().catch(() => {})
}

/** Re-renders every component that shows texts. */
function notifyListeners(): void {
  // A new function each time, so that memoized components notice the change.
  snapshot = { language: current, t: (key: string, params) => translate(key, params) }
  for (const listener of listeners) listener()
}

/** Starts with a language pack. `texts`: the groups and keys it contains; null for a complete pack. */
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
    interpolation: { escapeValue: false, defaultVariables: textLimits },
    resources: {},
  })
  languages = available
  loaded = texts && new Set(texts)
  apply(pack)
}

const read = (locale: string, names: Iterable<string> | null) =>
  api.languages.pack({ locale, ...(names ? { texts: [...names].join(',') } : {}) })

/**
 * Loads the missing texts among these groups and keys; returns undefined if none are missing. Rejects with an ApiError.
 */
export function ensureTexts(names: readonly string[]): Promise<void> | undefined {
  const missing = names.filter((name) => !has(name))
  return missing.length === 0 ? undefined : fetchTexts(missing)
}

async function fetchTexts(names: readonly string[]): Promise<void> {
  const { langLocale } = current
  const { keyValuePairs } = await read(langLocale, names)
  // The language changed meanwhile, so its pack lacks these texts.
  if (langLocale !== current.langLocale) return fetchTexts(names)
  engine.addResourceBundle(langLocale, 'translation', keyValuePairs, true, true)
  for (const name of names) loaded?.add(name)
}

/** What the page has loaded, in the form of the data that a page starts with. */
export function loadedTexts(): Pick<Boot, 'languages' | 'pack' | 'texts'> {
  const keyValuePairs = engine.getResourceBundle(current.langLocale, 'translation') as Record<string, string>
  return { languages: [...languages], pack: { ...current, keyValuePairs }, texts: loaded && [...loaded] }
}

/**
 * Changes the language of this page immediately and of later visits. Throws an ApiError if the pack cannot be loaded.
 */
export async function changeLanguage(locale: string): Promise<void> {
  const pack = await read(locale, loaded)
  // The Cookie Store API is not supported everywhere yet
  document.cookie = `${languageCookie}=${encodeURIComponent(locale)}; path=/; max-age=31536000; samesite=lax`
  apply(pack)
}

/**
 * Reloads the language list and the texts of the current language, or of the default one if the current one no longer
 * exists. Throws an ApiError.
 */
export async function refreshLanguages(): Promise<void> {
  const list = await api.languages.list()
  const next =
    list.find(({ langLocale }) => langLocale === current.langLocale) ?? list.find((one) => one.default)
  const pack = await read(next?.langLocale ?? 'en', loaded)
  languages = list
  apply(pack)
}

/** The locale in the language cookie, if any. */
export function chosenLocale(): string | null {
  const found = document.cookie.match(new RegExp(`(?:^|; )${languageCookie}=([^;]*)`))
  return found?.[1] ? decodeURIComponent(found[1]) : null
}

/** The languages to choose from. */
export function availableLanguages(): readonly Language[] {
  return languages
}

/** Translates outside of React. */
export const text: Translate = (key: string, params) => snapshot.t(key, params)

/** Calls the listener after each change of the language or its texts. Returns a function that stops it. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `t` and the current language; re-renders when the language changes. */
export function useText(): { t: Translate; language: Language } {
  return useSyncExternalStore(
    onLanguageChange,
    () => snapshot,
    () => snapshot,
  )
}

/**
 * Creates a value on first use. Mainly for Intl formatters: the first one of a kind takes a slow phone a tenth of a
 * second.
 */
export function onDemand<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Sorts the wanted locales first, in their order; "ar-EG" also matches "ar", and "zh-Hans-CN" matches "zh-CN" unless a
 * language fits better. The rest keep their order.
 */
export function orderLanguages(languages: readonly Language[], wanted: readonly string[]): Language[] {
  const found = wanted.flatMap((locale) => findLanguage(languages, locale) ?? [])
  return [...new Set([...found, ...languages])]
}
