import type { LiveSnapshots } from '@hansom/contract/live'
import { storeCancelReasons, storeCarTypes } from '../lib/catalogue.ts'
import { live } from '../lib/live.ts'

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
  live.subscribe(kind, { snapshot: take, event: take, volatile: take, current: () => {}, refused: () => {} })
}
