import type { LiveSnapshots } from '@hansom/contract/live'
import type { PublicSettings } from '@hansom/contract/settings'
import { orpc } from '../lib/api.ts'
import { storeCancelReasons, storeCarTypes } from '../lib/catalogue.ts'
import { refreshLanguages } from '../lib/i18n.ts'
import { live } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'
import { currentSettings, storeSettings } from '../lib/settings.ts'

/** Spreads the reload over time, because every open page is notified of a text change at the same moment. */
const spreadMs = 400

/** Keeps the settings and the texts of the current language up to date with the server. */
export function followSettings(): void {
  const take = (data: PublicSettings) => {
    const before = currentSettings()
    storeSettings(data)
    const { version, languagesVersion } = currentSettings()
    if (version === before.version) return
    // The configured sign-in methods come from a separate endpoint and may have changed too.
    void queryClient.invalidateQueries({ queryKey: orpc.accounts.ways.key() })
    if (languagesVersion !== before.languagesVersion) readLanguages()
  }
  live.subscribe('settings', { snapshot: take, event: take, volatile: take })
}

let waiting: ReturnType<typeof setTimeout> | undefined

function readLanguages(): void {
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    // If this fails, the page keeps its current texts; the next load gets the new ones.
    refreshLanguages().catch(() => {})
  }, Math.random() * spreadMs)
}

/** Keeps the car types, with their rates, and the cancellation reasons up to date with the server. */
export function followCatalogue(): void {
  follow('carTypes', storeCarTypes)
  follow('cancelReasons', storeCancelReasons)
}

function follow<Kind extends 'carTypes' | 'cancelReasons'>(
  kind: Kind,
  store: (list: LiveSnapshots[Kind]) => void,
): void {
  const take = (data: unknown) => store(data as LiveSnapshots[Kind])
  live.subscribe(kind, { snapshot: take, event: take, volatile: take })
}
