import type { FieldError } from '../error-keys.ts'
import { countedStem, englishFor, keysOf, pluralForms, type Texts } from './plural-keys.ts'

/**
 * A problem with a text: its key is unknown, it is empty or too long, it lacks a placeholder of the English text, or it
 * has one without a value, which users would see as `{{name}}`.
 */
export type TextProblem =
  | { key: string; problem: 'unknown_key' }
  | { key: string; problem: 'unknown_placeholder' | 'missing_placeholder'; names: string[] }
  | { key: string; problem: 'missing_form'; names: string[] }
  | { key: string; problem: 'too_long' }

const blockingErrors: Partial<Record<TextProblem['problem'], FieldError['error']>> = {
  unknown_key: 'unknown_field',
  unknown_placeholder: 'unknown_placeholder',
  too_long: 'too_long',
}

/** The error of a problem that prevents a text from being saved; null if the text may be intended. */
export function blockingError({ problem }: TextProblem): FieldError['error'] | null {
  return blockingErrors[problem] ?? null
}

/** Maximum length of a text, in characters. */
export const longestText = 4000

/** The placeholders of a text: `{{count}} of {{ total, number }}` has count and total. */
export function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{-?\s*([\w.]+)/g)].map((match) => match[1] ?? ''))].sort()
}

/** All problems of some texts of a language, in their order. `english` is the reference. */
export function checkTexts(locale: string, texts: Texts, english: Texts): TextProblem[] {
  const known = new Set(keysOf(locale, english))
  return Object.entries(texts).flatMap(([key, text]) => {
    const original = englishFor(key, english)
    if (!known.has(key) || original === undefined) return [{ key, problem: 'unknown_key' as const }]
    return checkText(key, text, original, english)
  })
}

function checkText(key: string, text: string, original: string, english: Texts): TextProblem[] {
  if (text.length > longestText) return [{ key, problem: 'too_long' }]
  // Empty: the text falls back to English.
  if (text === '') return []
  const expected = placeholders(original)
  const found = placeholders(text)
  const unknown = found.filter(
    (name) => !expected.includes(name) && !(name === 'count' && isCounted(key, english)),
  )
  const missing = expected.filter(
    (name) => !found.includes(name) && !(name === 'count' && mayLeaveCount(key)),
  )
  return [
    ...(unknown.length > 0 ? [{ key, problem: 'unknown_placeholder' as const, names: unknown }] : []),
    ...(missing.length > 0 ? [{ key, problem: 'missing_placeholder' as const, names: missing }] : []),
  ]
}

const isCounted = (key: string, english: Texts) => countedStem(key, english) !== null
/** "A star" and "two stars" need no number. */
const mayLeaveCount = (key: string) => /_(zero|one|two)$/.test(key)

/** Counted texts that have some, but not all plural forms of the language. */
export function missingForms(locale: string, texts: Texts, english: Texts): TextProblem[] {
  const stems = new Set(
    Object.keys(texts)
      .map((key) => countedStem(key, english))
      .filter((stem) => stem !== null),
  )
  return [...stems].flatMap((stem) => {
    const names = pluralForms(locale).filter((form) => !texts[`${stem}_${form}`])
    return names.length > 0 ? [{ key: stem, problem: 'missing_form' as const, names }] : []
  })
}
