import type { Language } from '@hansom/contract/languages'

/**
 * Sorts the browser's preferred languages first, in its order; "ar-EG" also matches "ar". The rest keep their order.
 */
export function orderLanguages(languages: readonly Language[], wanted: readonly string[]): Language[] {
  const rank = ({ langLocale }: Language) => {
    const locale = langLocale.toLowerCase()
    const at = wanted.findIndex((one) =>
      [one.toLowerCase(), one.toLowerCase().split('-', 1)[0]].includes(locale),
    )
    return at < 0 ? wanted.length : at
  }
  return languages.toSorted((a, b) => rank(a) - rank(b))
}
