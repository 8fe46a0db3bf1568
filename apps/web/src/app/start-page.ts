import type { Boot, UserBoot } from '@hansom/contract/boot'
import { onlineManager, type QueryKey } from '@tanstack/react-query'
import { api, orpc } from '../lib/api.ts'
import { setServerClock } from '../lib/clock.ts'
import { chosenLocale, startLanguage } from '../lib/i18n.ts'
import { initialTopics, setStoredAt } from '../lib/initial-topics.ts'
import { queryClient } from '../lib/query-client.ts'
import { storeMe } from '../lib/session.ts'
import { storeSettings } from '../lib/settings.ts'

/** Puts the boot data into the stores that all parts of the page read. */
export function startPage({ settings, languages, pack, texts }: Boot): void {
  storeSettings(settings)
  startLanguage(pack, languages, texts)
  storeMe(null)
}

/** Same for the data of the signed-in user. `receivedAt`: when it arrived, on the scale of `performance.now()`. */
export function startSession({ me, clock, first }: UserBoot, receivedAt?: number): void {
  setServerClock(clock.now, clock.speed, receivedAt)
  storeMe(me)
  if (first.driver) queryClient.setQueryData(orpc.tracking.state.queryKey(), first.driver)
  for (const [name, snapshot] of Object.entries(first.topics)) initialTopics.set(name, snapshot)
}

/** What an earlier page stored, in a page that was opened without a connection. */
export interface KeptData {
  /** The server's time when it was stored. */
  at: number
  /** Entries of the query cache: key, data, and when the data arrived, epoch ms. */
  entries: (readonly [key: QueryKey, data: unknown, updatedAt: number])[]
}

/** Puts stored data into the query cache, and shows its age until the connection is back. */
export function restoreKept({ at, entries }: KeptData): void {
  for (const [key, data, updatedAt] of entries) queryClient.setQueryData(key, data, { updatedAt })
  setStoredAt(at)
  // Queries only notice a connection that is lost later.
  if (!navigator.onLine) onlineManager.setOnline(false)
}

/** Initial data of a page: the part common to all visitors and the part of the signed-in user. */
export interface InitialData {
  boot: Boot
  user: UserBoot | null
  kept: KeptData | null
}

/** Returns the data embedded in the page, or null if it has none. */
export function readBoot(): InitialData | null {
  const boot = dataOf<Boot>('boot')
  return boot && { boot, user: dataOf<UserBoot>('user'), kept: dataOf<KeptData>('kept') }
}

function dataOf<Data>(id: string): Data | null {
  const json = document.getElementById(id)?.textContent
  return json ? (JSON.parse(json) as Data) : null
}

/** When the response started, on the scale of `performance.now()`; the embedded clock was correct then. */
export function pageReceivedAt(): number | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page && page.responseStart > 0 ? page.responseStart : undefined
}

/** Fetches the same data in five requests, for a page without embedded data. Throws an ApiError. */
export async function fetchBoot(): Promise<InitialData> {
  const [settings, languages, me, clock] = await Promise.all([
    api.settings.get(),
    api.languages.list(),
    api.users.me(),
    api.settings.clock(),
  ])
  const wanted = chosenLocale()
  const language =
    languages.find(({ langLocale }) => langLocale === wanted) ?? languages.find((entry) => entry.default)
  const pack = await api.languages.pack({ locale: language?.langLocale ?? 'en' })
  const boot = { settings, languages, pack, texts: null }
  return { boot, user: me && { me, clock, first: { topics: {} } }, kept: null }
}
