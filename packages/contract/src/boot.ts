import type { Language, LanguagePack } from './languages.ts'
import type { PublicSettings } from './settings.ts'
import type { Me } from './users.ts'

/**
 * What a page needs before its first render. The server writes it into the HTML in the place of `<!--boot-->` as
 * `<script type="application/json" id="boot">`, with every `<` written as `\u003c`.
 */
export interface Boot {
  settings: PublicSettings
  languages: Language[]
  pack: LanguagePack
  me: Me | null
}

/** The cookie that keeps the language a person chose: a locale, URI-encoded. */
export const languageCookie = 'hansom-language'
