/** The language of a locale, without script and region: "zh" for "zh-Hans-CN". */
export const languageOf = (locale: string): string => (locale.split('-', 1)[0] ?? locale).toLowerCase()

/**
 * The language for a locale: the same one, otherwise the language without a region ("es" for "es-UY"), otherwise that of
 * another region ("pt-BR" for "pt-PT"). Undefined if there is none.
 */
export function findLanguage<Found extends { langLocale: string }>(
  languages: readonly Found[],
  wanted: string,
): Found | undefined {
  const locale = wanted.toLowerCase()
  const language = languageOf(wanted)
  const fits = [
    (one: string) => one === locale,
    (one: string) => one === language,
    (one: string) => languageOf(one) === language,
  ]
  for (const fit of fits) {
    const found = languages.find(({ langLocale }) => fit(langLocale.toLowerCase()))
    if (found !== undefined) return found
  }
  return undefined
}

/** The language that most people of a country speak, such as "pt" for "BR" (CLDR likely subtags); null if unknown. */
export function languageOfCountry(country: string): string | null {
  if (country === '') return null
  try {
    return new Intl.Locale(`und-${country}`).maximize().language ?? null
  } catch {
    return null
  }
}
