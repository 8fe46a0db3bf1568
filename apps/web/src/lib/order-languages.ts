import type { Language } from '@hansom/contract/languages'

/** The languages with those the browser asks for first, in its order; "ar-EG" also finds "ar". The rest keep theirs. */
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
