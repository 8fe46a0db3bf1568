import type { Boot, PersonBoot } from '@hansom/contract/boot'
import { orpc } from '../lib/api.ts'
import { setServerClock } from '../lib/clock.ts'
import { startLanguage } from '../lib/i18n.ts'
import { initialTopics } from '../lib/initial-topics.ts'
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
export function startSession({ me, clock, first }: PersonBoot, receivedAt?: number): void {
  setServerClock(clock.now, clock.speed, receivedAt)
  storeMe(me)
  if (first.driver) queryClient.setQueryData(orpc.tracking.state.queryKey(), first.driver)
  for (const [name, snapshot] of Object.entries(first.topics)) initialTopics.set(name, snapshot)
}
