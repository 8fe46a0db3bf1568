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
  /** The server's clock as the page was written; `speed` is above 1 only on a demo whose time is sped up. */
  clock: { now: number; speed: number }
}

/** The cookie that keeps the language a person chose: a locale, URI-encoded. */
export const languageCookie = 'hansom-language'
