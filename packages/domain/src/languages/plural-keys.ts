const everyForm = ['zero', 'one', 'two', 'few', 'many', 'other']
const suffix = /_(zero|one|two|few|many|other)$/

/** Texts by key. */
export type Texts = Readonly<Record<string, string>>

/** The forms that a language's grammar counts with (Unicode CLDR), such as one and other. An unknown language has those two. */
export function pluralForms(locale: string): readonly string[] {
  try {
    const asked: readonly string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    // Engines list them in orders of their own.
    return everyForm.filter((form) => asked.includes(form))
  } catch {
    return ['one', 'other']
  }
}

/** The key that a counted text belongs to; null for a text that is not counted. `english` knows which are. */
export function countedStem(key: string, english: Texts): string | null {
  if (!suffix.test(key)) return null
  const stem = key.replace(suffix, '')
  return `${stem}_one` in english && `${stem}_other` in english ? stem : null
}

/** Where a form has no text of its own, the text that English has for it. */
export function englishFor(key: string, english: Texts): string | undefined {
  const stem = countedStem(key, english)
  return english[key] ?? (stem === null ? undefined : english[`${stem}_other`])
}

/**
 * Every key that a language has to have, in English's order: the counted ones in all forms of its own grammar.
 * A form for nothing at all (`_zero`) that English has is asked for too.
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

/** A language's texts, completed from English: forms that its grammar has and English lacks read as English's other form. */
export function completed(locale: string, texts: Texts, english: Texts): Record<string, string> {
  const whole: Record<string, string> = { ...texts }
  for (const key of keysOf(locale, english)) whole[key] ??= englishFor(key, english) ?? ''
  return whole
}
