import type { CancelReason } from '@hansom/contract/cancel-reasons'
import type { CarType } from '@hansom/contract/car-types'
import type { LiveSnapshots } from '@hansom/contract/live'
import type { PublicSettings } from '@hansom/contract/settings'
import { orpc } from './api.ts'
import { refreshLanguages } from './i18n.ts'
import { live } from './live.ts'
import { queryClient } from './query-client.ts'
import { endLeftSession, leaveIfLeft } from './session.ts'
import { currentSettings, storeSettings } from './settings.ts'

/** Keeps settings, texts, car types with their rates, and cancellation reasons up to date with the server. */
export function followCatalogue(): void {
  for (const { list } of [orpc.carTypes, orpc.cancelReasons]) {
    queryClient.setQueryDefaults(list.queryOptions().queryKey, { gcTime: Number.POSITIVE_INFINITY })
  }
  follow('settings', takeSettings)
  follow('carTypes', storeCarTypes)
  follow('cancelReasons', storeCancelReasons)
}

function follow<Kind extends 'settings' | 'carTypes' | 'cancelReasons'>(
  kind: Kind,
  store: (data: LiveSnapshots[Kind]) => void,
): void {
  const take = (data: unknown) => store(data as LiveSnapshots[Kind])
  live.subscribe(kind, { snapshot: take, event: take, volatile: take })
}

/** Stores the car types in the cache. If they changed, invalidates the fares calculated from them. */
export function storeCarTypes(carTypes: CarType[]): void {
  const { queryKey } = orpc.carTypes.list.queryOptions()
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, carTypes)
  if (before === undefined || JSON.stringify(before) === JSON.stringify(carTypes)) return
  for (const route of [orpc.bookings.offers, orpc.bookings.estimate]) {
    void queryClient.invalidateQueries({ queryKey: route.key() })
  }
}

function storeCancelReasons(reasons: CancelReason[]): void {
  queryClient.setQueryData(orpc.cancelReasons.list.queryOptions().queryKey, reasons)
}

function takeSettings(settings: PublicSettings): void {
  const before = currentSettings()
  storeSettings(settings)
  const { version, languagesVersion } = currentSettings()
  if (version === before.version) return
  // The configured sign-in methods come from a separate endpoint and may have changed too.
  void queryClient.invalidateQueries({ queryKey: orpc.accounts.ways.key() })
  if (languagesVersion !== before.languagesVersion) reloadTexts()
}

/** Spreads the reload over time, because every open page is notified of a text change at the same moment. */
const spreadMs = 400
let waiting: ReturnType<typeof setTimeout> | undefined

function reloadTexts(): void {
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    // If this fails, the page keeps its current texts; the next load gets the new ones.
    refreshLanguages().catch(() => {})
  }, Math.random() * spreadMs)
}

/** Ends a session that was left without a connection, as soon as the server can be reached, and leaves other open pages. */
export function followSignOut(): void {
  const end = () => void endLeftSession().catch(() => {})
  end()
  addEventListener('online', end)
  live.onStatus(end)
  addEventListener('storage', leaveIfLeft)
}
