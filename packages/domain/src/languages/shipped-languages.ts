/** A language of the product. `dateLocale` writes dates and numbers. */
export interface ShippedLanguage {
  langName: string
  langLocale: string
  dateLocale: string
  default: boolean
  direction: 'ltr' | 'rtl'
}

/** The languages that come with the product; each has a folder in `packs`. English completes the others. */
export const shippedLanguages: readonly ShippedLanguage[] = [
  { langName: 'English', langLocale: 'en', dateLocale: 'en-GB', default: true, direction: 'ltr' },
  { langName: 'العربية', langLocale: 'ar', dateLocale: 'ar', default: false, direction: 'rtl' },
]
