import type { FieldError } from '../error-keys.ts'
import { canonicalLocale } from './translations.ts'

/** The names and locales of a language. */
export interface LanguageNames {
  langName: string
  /** BCP 47: `es`, `pt-BR`. */
  langLocale: string
  /** BCP 47, for dates and numbers; empty: same as `langLocale`. */
  dateLocale: string
  direction: 'ltr' | 'rtl'
}

/** Names normalized for storage. Accepts any input; `checkNames` reports its problems. */
export function tidyNames<Names extends Partial<LanguageNames>>(names: Names): Names {
  const tidy = { ...names }
  if (names.langName !== undefined) tidy.langName = names.langName.trim()
  if (names.langLocale !== undefined) tidy.langLocale = canonicalLocale(names.langLocale) ?? names.langLocale
  if (names.dateLocale !== undefined)
    tidy.dateLocale = canonicalLocale(names.dateLocale) ?? names.dateLocale.trim()
  return tidy
}

type Named = Pick<LanguageNames, 'langName' | 'langLocale'>

/**
 * The problems of a language's names. `known` are all languages, `before` is the changed one: a new name must differ from
 * the others' in more than case, because users could not tell the languages apart.
 */
export function checkNames(
  names: Partial<LanguageNames>,
  known: readonly Named[] = [],
  before: Named | null = null,
): FieldError[] {
  const problems: FieldError[] = []
  const { langName } = names
  const isSame = (one: Named) => one.langName.toLocaleLowerCase('en') === langName?.toLocaleLowerCase('en')
  const isTaken = known.some((one) => one.langLocale !== before?.langLocale && isSame(one))
  if (langName === '') problems.push({ field: 'langName', error: 'required' })
  if (isTaken && langName !== before?.langName) problems.push({ field: 'langName', error: 'taken' })
  if (names.langLocale !== undefined && canonicalLocale(names.langLocale) === null) {
    problems.push({ field: 'langLocale', error: 'not_a_locale' })
  }
  if (names.dateLocale && canonicalLocale(names.dateLocale) === null) {
    problems.push({ field: 'dateLocale', error: 'not_a_locale' })
  }
  return problems
}

/** The share of keys with a translation, as an integer percentage; 100 only when all have one. */
export function completeness(translated: number, keys: number): number {
  return keys === 0 ? 100 : Math.floor((translated / keys) * 100)
}
