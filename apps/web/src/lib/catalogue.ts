import type { CancelReason } from '@hansom/contract/cancel-reasons'
import type { CarType } from '@hansom/contract/car-types'
import { orpc } from './api.ts'
import { queryClient } from './query-client.ts'

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

export function storeCancelReasons(reasons: CancelReason[]): void {
  queryClient.setQueryData(orpc.cancelReasons.list.queryOptions().queryKey, reasons)
}
