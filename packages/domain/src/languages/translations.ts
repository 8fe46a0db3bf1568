import type { FieldError } from '../error-keys.ts'

/** A record's texts in other languages, by locale and field. A missing text falls back to the record's own. */
export type Translations<Field extends string = string> = Readonly<
  Record<string, { readonly [F in Field]?: string | undefined }>
>

type Translated<Field extends string> = { readonly [F in Field]: string } & {
  readonly translations: Translations<Field>
}

/** The most languages a record can be translated into. */
const maxLocales = 50

/** A text of a record in a language. */
export function translate<Field extends string>(
  record: Translated<Field>,
  field: Field,
  locale: string,
): string {
  return record.translations[locale]?.[field] || record[field]
}

/**
 * Translates a stored copy of a record's text, such as the car type of a booking. Returned unchanged when no record has
 * this text: it was renamed or removed since.
 */
export function translateCopy<Field extends string>(
  records: readonly Translated<Field>[],
  field: Field,
  copy: string,
  locale: string,
): string {
  const record = records.find((one) => one[field] === copy)
  return record === undefined ? copy : translate(record, field, locale)
}

/** A language tag in canonical form (`PT-br` becomes `pt-BR`); null for an invalid one. */
export function canonicalLocale(tag: string): string | null {
  const text = tag.trim()
  if (text === '' || text.length > 20) return null
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}

/** All problems of some translations, as `translations.<locale>.<field>`. `limits` has each field's maximum length. */
export function translationProblems<Field extends string>(
  translations: Translations<Field>,
  limits: Readonly<Record<Field, number>>,
): FieldError[] {
  const entries = Object.entries(translations)
  if (entries.length > maxLocales) return [{ field: 'translations', error: 'too_long' }]
  return entries.flatMap(([locale, texts]): FieldError[] => {
    const at = `translations.${locale}`
    if (canonicalLocale(locale) !== locale) return [{ field: at, error: 'not_a_locale' }]
    const isLong = (field: Field) => (texts[field] ?? '').trim().length > limits[field]
    const tooLong = (Object.keys(limits) as Field[]).filter(isLong)
    return tooLong.map((field) => ({ field: `${at}.${field}`, error: 'too_long' }))
  })
}

/** Translations without empty texts; null if there are none. */
export function filledTranslations<Field extends string>(
  translations: Translations<Field>,
): Translations<Field> | null {
  const filled = Object.entries(translations).flatMap(([locale, texts]) => {
    const kept = Object.entries<string | undefined>(texts).flatMap(([field, text]) =>
      text?.trim() ? [[field, text.trim()]] : [],
    )
    return kept.length > 0 ? [[locale, Object.fromEntries(kept)]] : []
  })
  return filled.length > 0 ? Object.fromEntries(filled) : null
}
