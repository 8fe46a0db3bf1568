import type { AdminLanguage, LanguageTexts } from '@hansom/contract/languages'
import { englishFor, keysOf, type Texts } from '@hansom/domain/languages/plural-keys'
import { type KnownLanguage, publicFields } from './known-languages.ts'

/** The texts needed to show languages to an admin. */
export interface Packs {
  /** Texts of the release in the installation's category, by locale. */
  shipped: ReadonlyMap<string, Texts>
  /** English of this installation: the release's with its changes. */
  english: Texts
}

/** A language with its translation progress. */
export function adminLanguage(language: KnownLanguage, packs: Packs): AdminLanguage {
  const keys = keysOf(language.langLocale, packs.english)
  const texts = ownTexts(language, packs)
  const copied = new Set(language.copied)
  const translated = keys.filter((key) => texts[key] && !copied.has(key)).length
  const { shipped, createdAt, version } = language
  return { ...publicFields(language), shipped, keys: keys.length, translated, createdAt, version }
}

/** A language with its texts for editing. */
export function languageTexts(language: KnownLanguage, packs: Packs): LanguageTexts {
  const release = packs.shipped.get(language.langLocale) ?? {}
  // English itself is compared with the release's texts.
  const english = language.langLocale === 'en' ? release : packs.english
  const keys = keysOf(language.langLocale, english)
  const original = (key: string) => englishFor(key, english) ?? ''
  return {
    ...adminLanguage(language, packs),
    english: Object.fromEntries(keys.map((key) => [key, original(key)])),
    texts: ownTexts(language, packs),
    copied: [...language.copied],
    changed: Object.keys(language.own).filter((key) => language.own[key] !== release[key]),
  }
}

function ownTexts({ langLocale, own }: KnownLanguage, { shipped }: Packs): Record<string, string> {
  return { ...shipped.get(langLocale), ...own }
}
