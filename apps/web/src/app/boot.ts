import type { Boot, PersonBoot } from '@hansom/contract/boot'
import { api } from '../lib/api.ts'
import { chosenLocale } from '../lib/i18n.ts'

/** What a page begins with: what everybody gets, and what belongs to the person who is signed in. */
export interface Beginning {
  boot: Boot
  person: PersonBoot | null
}

/** The data sent with the page; null when the page came without. */
export function readBoot(): Beginning | null {
  const boot = dataOf<Boot>('boot')
  return boot && { boot, person: dataOf<PersonBoot>('person') }
}

function dataOf<Data>(id: string): Data | null {
  const json = document.getElementById(id)?.textContent
  return json ? (JSON.parse(json) as Data) : null
}

/** When the page began to come, on `performance.now()`'s scale: what it says of the time was true then. */
export function pageHeardAt(): number | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page && page.responseStart > 0 ? page.responseStart : undefined
}

/** The same by five requests, for a page that came without. Throws an ApiError. */
export async function fetchBoot(): Promise<Beginning> {
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
