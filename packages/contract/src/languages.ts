import { z } from 'zod'
import { base } from './base.ts'

export const language = z.object({
  langName: z.string(),
  langLocale: z.string(),
  dateLocale: z.string(),
  default: z.boolean(),
  direction: z.enum(['ltr', 'rtl']),
})
export type Language = z.infer<typeof language>

/** A pack: flat message keys to texts, with i18next placeholders and plural suffixes. */
export const languagePack = language.extend({ keyValuePairs: z.record(z.string(), z.string()) })
export type LanguagePack = z.infer<typeof languagePack>

export const languagesContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/languages', tags: ['languages'] })
    .output(z.array(language)),
  /** The texts of one language, completed from English. */
  pack: base
    .route({ method: 'GET', path: '/api/v1/languages/{locale}', tags: ['languages'] })
    .input(z.object({ locale: z.string().max(20) }))
    .output(languagePack),
}
