import { type Country, countries } from '@hansom/domain/users/countries'
import { useMemo } from 'react'
import { useText } from '../lib/i18n.ts'

/** All countries with localized names, in the language's order. */
export function useCountries(): readonly Country[] {
  const { language } = useText()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language.langLocale, { type: 'region', fallback: 'none' })
    return countries
      .map((country) => ({ ...country, label: names.of(country.code) ?? country.label }))
      .sort((a, b) => a.label.localeCompare(b.label, language.langLocale))
  }, [language.langLocale])
}
