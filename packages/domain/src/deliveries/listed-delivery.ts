import type { DeliveryView, ListedDelivery } from './visible-delivery.ts'

/** A view's delivery as lists have it: without its stops. */
export function toListed(delivery: DeliveryView['delivery']): ListedDelivery | null {
  if (!delivery) return null
  const { stops: _stops, ...listed } = delivery
  return listed
}
