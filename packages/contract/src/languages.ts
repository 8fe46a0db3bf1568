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

/** A pack: flat message keys to texts, with i18next placeholders and plural suffixes. */
export const languagePack = language.extend({ keyValuePairs: z.record(z.string(), z.string()) })
export type LanguagePack = z.infer<typeof languagePack>

/** A language as the office sees it. */
export const officeLanguage = language.extend({
  /** It comes with the release: its texts can be changed and taken back, its code stays. */
  shipped: z.boolean(),
  /** How many texts the language has to have, in the forms of its own grammar. */
  keys: z.int(),
  /** How many of them are its own: neither missing nor still the copy it began with. */
  translated: z.int(),
  /** Null while the release alone says what it is. */
  createdAt: instant.nullable(),
  /** 0 while the release alone says what it is. */
  version: z.int(),
})
export type OfficeLanguage = z.infer<typeof officeLanguage>

/** A language with its texts as they are edited. */
export const languageTexts = officeLanguage.extend({
  /** What is shown where the language has no text: English, by the keys of this language, in their order. */
  english: z.record(z.string(), z.string()),
  /** The language's own texts, those of the release among them. */
  texts: z.record(z.string(), z.string()),
  /** Keys whose text is still the copy that the language began with. */
  copied: z.array(z.string()),
  /** Keys whose text differs from the release's. */
  changed: z.array(z.string()),
})
export type LanguageTexts = z.infer<typeof languageTexts>

const locale = z.string().trim().max(20)
const names = {
  langName: z.string().trim().max(60),
  langLocale: locale,
  /** Writes dates and numbers; empty: as `langLocale`. */
  dateLocale: locale,
  direction,
}
const named = z.object({ locale })

const office = '/api/v1/language-packs'
const tags = ['languages']

export const languagesContract = {
  list: base.route({ method: 'GET', path: '/api/v1/languages', tags }).output(z.array(language)),
  /** The texts of one language, completed from English: all, or those of some groups (`texts=trip,wallet.title`). */
  pack: base
    .route({ method: 'GET', path: '/api/v1/languages/{locale}', tags })
    .input(z.object({ locale: z.string().max(20), texts: z.string().max(4000).optional() }))
    .output(languagePack),

  /** For admins, as all that follow. */
  manage: base.route({ method: 'GET', path: office, tags }).output(z.array(officeLanguage)),
  texts: base
    .route({ method: 'GET', path: `${office}/{locale}`, tags })
    .input(named)
    .output(languageTexts),
  /**
   * Adds a language with a copy of the default one's texts; one of the release that was removed comes back with its
   * own. Refused with language_exists, invalid_input.
   */
  create: base
    .route({ method: 'POST', path: office, tags })
    .input(z.strictObject(names))
    .output(officeLanguage),
  /** Refused with conflict (`data.current`), language_exists, invalid_input. */
  update: base
    .route({ method: 'PATCH', path: `${office}/{locale}`, tags })
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
    .output(officeLanguage),
  /**
   * Changes some texts; null takes a text back to the release's, or to none. Refused with conflict (`data.current`: the
   * language with its texts), and with invalid_input for keys that do not exist and values that are never given.
   */
  saveTexts: base
    .route({ method: 'PATCH', path: `${office}/{locale}/texts`, tags })
    .input(
      z.strictObject({
        locale,
        version: rowVersion,
        texts: z.record(z.string().max(120), z.string().max(10_000).nullable()),
      }),
    )
    .output(officeLanguage),
  /** Makes this the language that pages start with, and no other. */
  makeDefault: base
    .route({ method: 'POST', path: `${office}/{locale}/make_default`, tags })
    .input(named)
    .output(z.array(officeLanguage)),
  /** Refused with 'Cannot delete default language'. One of the release comes back when it is added again. */
  remove: base
    .route({ method: 'DELETE', path: `${office}/{locale}`, tags })
    .input(named)
    .output(z.array(officeLanguage)),
}
