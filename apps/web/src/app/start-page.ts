import type { Boot, PersonBoot } from '@hansom/contract/boot'
import { orpc } from '../lib/api.ts'
import { setServerClock } from '../lib/clock.ts'
import { firstTopics } from '../lib/first-topics.ts'
import { startLanguage } from '../lib/i18n.ts'
import { queryClient } from '../lib/query-client.ts'
import { storeMe } from '../lib/session.ts'
import { storeSettings } from '../lib/settings.ts'

/** Puts the boot data where every part of the page finds it. */
export function startPage({ settings, languages, pack, texts }: Boot): void {
  storeSettings(settings)
  startLanguage(pack, languages, texts)
  storeMe(null)
}

/** The same for what belongs to the person who is here. `heardAt` is when it came, on `performance.now()`'s scale. */
export function startPerson({ me, clock, first }: PersonBoot, heardAt?: number): void {
  setServerClock(clock.now, clock.speed, heardAt)
  storeMe(me)
  if (first.driver) queryClient.setQueryData(orpc.tracking.state.queryKey(), first.driver)
  for (const [name, snapshot] of Object.entries(first.topics)) firstTopics.set(name, snapshot)
}
