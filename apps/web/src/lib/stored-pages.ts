/** The names that pages and the service worker share. Every cache of ours begins with this. */
export const ownCaches = 'hansom-'
/** The start page of the user, and what the app last stored at `stateUrl` (`app/keep-offline`). */
export const pagesCache = `${ownCaches}pages`
export const stateUrl = '/offline/state'
/** What this browser is registered with for push messages, at `deviceUrl`. */
export const deviceCache = `${ownCaches}device`
export const deviceUrl = '/offline/device'

/** What a page asks the worker to keep. */
export interface KeepMessage {
  /** The path of the page's entry script, which differs in every build. */
  build: string
  /** Paths of its files. */
  keep: string[]
}

/** The path of a page's entry script; null for another page. */
export const buildOf = (html: string): string | null =>
  /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? null
