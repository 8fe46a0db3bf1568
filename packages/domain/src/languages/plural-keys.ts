const everyForm = ['zero', 'one', 'two', 'few', 'many', 'other']
const suffix = /_(zero|one|two|few|many|other)$/

/** Texts by key. */
export type Texts = Readonly<Record<string, string>>

/**
 * The plural forms of a language's grammar (Unicode CLDR), such as one and other. An unknown language has those two.
 */
export function pluralForms(locale: string): readonly string[] {
  try {
    const asked: readonly string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    // Engines return them in different orders.
    return everyForm.filter((form) => asked.includes(form))
  } catch {
    return ['one', 'other']
  }
}

/** The stem of a counted text's key; null for a text that is not counted. `english` defines which are counted. */
export function countedStem(key: string, english: Texts): string | null {
  if (!suffix.test(key)) return null
  const stem = key.replace(suffix, '')
  return `${stem}_one` in english && `${stem}_other` in english ? stem : null
}

/** The English text for a key; for a plural form that English lacks, its other form. */
export function englishFor(key: string, english: Texts): string | undefined {
  const stem = countedStem(key, english)
  return english[key] ?? (stem === null ? undefined : english[`${stem}_other`])
}

/**
 * Every key a language needs, in the order of English: counted ones in all plural forms of its grammar. A `_zero` form
 * that English has is included, too.
 */
export function keysOf(locale: string, english: Texts): string[] {
  const forms = pluralForms(locale)
  const keys: string[] = []
  const seen = new Set<string>()
  for (const key of Object.keys(english)) {
    const stem = countedStem(key, english)
    if (stem === null) {
      keys.push(key)
    } else if (!seen.has(stem)) {
      seen.add(stem)
      const asked = `${stem}_zero` in english && !forms.includes('zero') ? ['zero', ...forms] : forms
      keys.push(...asked.map((form) => `${stem}_${form}`))
    }
  }
  return keys
}

/** A language's texts, completed from English: plural forms that English lacks get its other form. */
export function completeTexts(locale: string, texts: Texts, english: Texts): Record<string, string> {
  const result: Record<string, string> = { ...texts }
  for (const key of keysOf(locale, english)) result[key] ??= englishFor(key, english) ?? ''
  return result
}
