import type { Language, LanguagePack } from './languages.ts'
import type { PublicSettings } from './settings.ts'
import type { DriverState } from './tracking.ts'
import type { Me } from './users.ts'

/**
 * Data a page needs before its first render. The server replaces `<!--boot-->` in the HTML with `<script
 * type="application/json" id="boot">`, with every `<` written as `\u003c`.
 */
export interface Boot {
  settings: PublicSettings
  languages: Language[]
  pack: LanguagePack
  /** The text groups and single texts that `pack` contains; null: all. */
  texts: string[] | null
}

/** Additional data of a signed-in user's page, as `<script type="application/json" id="user">`; never shared. */
export interface UserBoot {
  me: Me
  /** The server's clock when the page was written; `speed` is above 1 only on a demo whose time is sped up. */
  clock: { now: number; speed: number }
  /** Data for the first render: a driver's state, and snapshots of live topics by name. */
  first: { driver?: DriverState; topics: Record<string, unknown> }
}

/** Cookie that stores the user's chosen language: a locale, URI-encoded. */
export const languageCookie = 'hansom-language'
