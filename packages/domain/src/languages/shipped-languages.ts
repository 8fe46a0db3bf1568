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

/** The texts of one group file, by key. */
export type PackGroup = Readonly<Record<string, string>>

/** Joins group files into one pack: `{common: {close}}` becomes `{'common.close'}`. */
export function flattenPack(groups: Readonly<Record<string, PackGroup>>): Record<string, string> {
  const pack: Record<string, string> = {}
  for (const [group, texts] of Object.entries(groups)) {
    for (const [key, text] of Object.entries(texts)) pack[`${group}.${key}`] = text
  }
  return pack
}
