import type { Boot, PersonBoot } from '@hansom/contract/boot'
import { api } from '../lib/api.ts'
import { chosenLocale } from '../lib/i18n.ts'

/** Initial data of a page: the part common to all visitors and the part of the signed-in user. */
export interface InitialData {
  boot: Boot
  person: PersonBoot | null
}

/** Returns the data embedded in the page, or null if it has none. */
export function readBoot(): InitialData | null {
  const boot = dataOf<Boot>('boot')
  return boot && { boot, person: dataOf<PersonBoot>('person') }
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
  return { boot, person: me && { me, clock, first: { topics: {} } } }
}
