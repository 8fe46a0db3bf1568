import type { LiveSnapshots } from '@hansom/contract/live'
import { storeCancelReasons, storeCarTypes } from '../lib/catalogue.ts'
import { live } from '../lib/live.ts'

/** Keeps what riders choose from as it is now at the server: car types with what they cost, and reasons. */
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
