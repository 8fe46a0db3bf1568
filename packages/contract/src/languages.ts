import { z } from 'zod'
import { base } from './base.ts'
import { instant, rowVersion } from './shapes.ts'

const direction = z.enum(['ltr', 'rtl'])

export const language = z.object({
  langName: z.string(),
  langLocale: z.string(),
  dateLocale: z.string(),
  default: z.boolean(),
  direction,
})
export type Language = z.infer<typeof language>

/** A language pack: flat keys to texts, with i18next placeholders and plural suffixes. */
export const languagePack = language.extend({ keyValuePairs: z.record(z.string(), z.string()) })
export type LanguagePack = z.infer<typeof languagePack>

/** A language in the admin view. */
export const adminLanguage = language.extend({
  /** Comes with the release: its texts can be changed and reverted, its code cannot change. */
  shipped: z.boolean(),
  /** Number of texts the language needs, including its plural forms. */
  keys: z.int(),
  /** Number of texts that are translated: neither missing nor still the copy the language started with. */
  translated: z.int(),
  /** Null if the language is unchanged from the release. */
  createdAt: instant.nullable(),
  /** 0 if the language is unchanged from the release. */
  version: z.int(),
})
export type AdminLanguage = z.infer<typeof adminLanguage>

/** A language with its texts for editing. */
export const languageTexts = adminLanguage.extend({
  /** The English fallback texts, by the keys of this language, in key order. */
  english: z.record(z.string(), z.string()),
  /** The language's own texts, including those of the release. */
  texts: z.record(z.string(), z.string()),
  /** Keys whose text is still the copy that the language started with. */
  copied: z.array(z.string()),
  /** Keys whose text differs from the release's. */
  changed: z.array(z.string()),
})
export type LanguageTexts = z.infer<typeof languageTexts>

const locale = z.string().trim().max(20)
const names = {
  langName: z.string().trim().max(60),
  langLocale: locale,
  /** Locale for dates and numbers; empty: same as `langLocale`. */
  dateLocale: locale,
  direction,
}
const named = z.object({ locale })

const adminPath = '/api/v1/language-packs'
const tags = ['languages']

export const languagesContract = {
  list: base.route({ method: 'GET', path: '/api/v1/languages', tags }).output(z.array(language)),
  /** The texts of one language, completed from English: all, or those of some groups (`texts=trip,wallet.title`). */
  pack: base
    .route({ method: 'GET', path: '/api/v1/languages/{locale}', tags })
    .input(z.object({ locale: z.string().max(20), texts: z.string().max(4000).optional() }))
    .output(languagePack),

  /** Admins only, like all routes below. */
  manage: base.route({ method: 'GET', path: adminPath, tags }).output(z.array(adminLanguage)),
  texts: base
    .route({ method: 'GET', path: `${adminPath}/{locale}`, tags })
    .input(named)
    .output(languageTexts),
  /**
   * Adds a language with a copy of the default language's texts; a removed language of the release is restored with its
   * own. Throws language_exists, invalid_input.
   */
  create: base
    .route({ method: 'POST', path: adminPath, tags })
    .input(z.strictObject(names))
    .output(adminLanguage),
  /** Throws conflict (`data.current`), language_exists, invalid_input. */
  update: base
    .route({ method: 'PATCH', path: `${adminPath}/{locale}`, tags })
    .input(
      z.strictObject({
        locale,
        version: rowVersion,
        langName: names.langName.optional(),
        langLocale: locale.optional(),
        dateLocale: locale.optional(),
        direction: direction.optional(),
      }),
    )
    .output(adminLanguage),
  /**
   * Changes some texts; null reverts a text to the release's, or removes it. Throws conflict (`data.current`: the
   * language with its texts), and invalid_input for unknown keys and placeholders.
   */
  saveTexts: base
    .route({ method: 'PATCH', path: `${adminPath}/{locale}/texts`, tags })
    .input(
      z.strictObject({
        locale,
        version: rowVersion,
        texts: z.record(z.string().max(120), z.string().max(10_000).nullable()),
      }),
    )
    .output(adminLanguage),
  /** Makes this the default language of pages. */
  makeDefault: base
    .route({ method: 'POST', path: `${adminPath}/{locale}/make_default`, tags })
    .input(named)
    .output(z.array(adminLanguage)),
  /** Throws 'Cannot delete default language'. A language of the release is restored when it is added again. */
  remove: base
    .route({ method: 'DELETE', path: `${adminPath}/{locale}`, tags })
    .input(named)
    .output(z.array(adminLanguage)),
}
