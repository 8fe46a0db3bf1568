import type { Language, LanguagePack } from './languages.ts'
import type { PublicSettings } from './settings.ts'
import type { DriverState } from './tracking.ts'
import type { Me } from './users.ts'

/**
 * What a page needs before its first render. The server writes it into the HTML in the place of `<!--boot-->` as
 * `<script type="application/json" id="boot">`, with every `<` written as `\u003c`.
 */
export interface Boot {
  settings: PublicSettings
  languages: Language[]
  pack: LanguagePack
  /** The names of the groups and of the single texts that `pack` has; null: all. */
  texts: string[] | null
}

/** What one person's page has besides, as `<script type="application/json" id="person">`; nobody else gets it. */
export interface PersonBoot {
  me: Me
  /** The server's clock as the page was written; `speed` is above 1 only on a demo whose time is sped up. */
  clock: { now: number; speed: number }
  /** What the page shows first: a driver's state of work, and snapshots of live topics by their names. */
  first: { driver?: DriverState; topics: Record<string, unknown> }
}

/** The cookie that keeps the language a person chose: a locale, URI-encoded. */
export const languageCookie = 'hansom-language'
