import type { Boot } from '@hansom/contract/boot'
import { setServerClock } from '../lib/clock.ts'
import { startLanguage } from '../lib/i18n.ts'
import { storeMe } from '../lib/session.ts'
import { storeSettings } from '../lib/settings.ts'

/** Puts the boot data where every part of the page finds it. `heardAt` is when it came, on `performance.now()`'s scale. */
export function startPage({ settings, languages, pack, me, clock }: Boot, heardAt?: number): void {
  setServerClock(clock.now, clock.speed, heardAt)
  storeSettings(settings)
  storeMe(me)
  startLanguage(pack, languages)
}
