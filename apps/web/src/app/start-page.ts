import type { Boot } from '@hansom/contract/boot'
import { startLanguage } from '../lib/i18n.ts'
import { storeMe } from '../lib/session.ts'
import { storeSettings } from '../lib/settings.ts'

/** Puts the boot data where every part of the page finds it. */
export function startPage({ settings, languages, pack, me }: Boot): void {
  storeSettings(settings)
  storeMe(me)
  startLanguage(pack, languages)
}
