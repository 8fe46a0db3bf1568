import type { LanguageTexts } from '@hansom/contract/languages'

type Known = Pick<LanguageTexts, 'english' | 'texts'>

/** All keys of a language with their texts; empty where there is none, to be filled in. */
export function wholePack({ english, texts }: Known): Record<string, string> {
  return Object.fromEntries(Object.keys(english).map((key) => [key, texts[key] ?? '']))
}

/** What differs between a language and a pack that was edited; empty for texts that were taken out. */
export function changedTexts(known: Known, pack: Readonly<Record<string, string>>): Record<string, string> {
  const before = wholePack(known)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(pack)])]
  const changed = keys.filter((key) => !(key in before) || (pack[key] ?? '') !== before[key])
  return Object.fromEntries(changed.map((key) => [key, pack[key] ?? '']))
}
