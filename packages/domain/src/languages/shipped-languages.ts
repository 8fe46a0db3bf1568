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
  { langName: 'Español', langLocale: 'es', dateLocale: 'es', default: false, direction: 'ltr' },
  { langName: 'Français', langLocale: 'fr', dateLocale: 'fr', default: false, direction: 'ltr' },
  {
    langName: 'Português (Brasil)',
    langLocale: 'pt-BR',
    dateLocale: 'pt-BR',
    default: false,
    direction: 'ltr',
  },
  { langName: 'हिन्दी', langLocale: 'hi', dateLocale: 'hi', default: false, direction: 'ltr' },
  { langName: 'Svenska', langLocale: 'sv', dateLocale: 'sv', default: false, direction: 'ltr' },
  { langName: '简体中文', langLocale: 'zh-CN', dateLocale: 'zh-CN', default: false, direction: 'ltr' },
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
