/** A language of the product. `dateLocale` formats dates and numbers. */
export interface ShippedLanguage {
  langName: string
  langLocale: string
  dateLocale: string
  default: boolean
  direction: 'ltr' | 'rtl'
}

/** The languages of the product; each has a folder in `packs`. English is the fallback. */
export const shippedLanguages: readonly ShippedLanguage[] = [
  { langName: 'English', langLocale: 'en', dateLocale: 'en-GB', default: true, direction: 'ltr' },
  { langName: 'العربية', langLocale: 'ar', dateLocale: 'ar', default: false, direction: 'rtl' },
]
