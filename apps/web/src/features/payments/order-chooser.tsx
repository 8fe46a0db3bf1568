import { ProviderChooser } from './provider-chooser.tsx'
import { useOrder } from './use-order.ts'

/** Everybody who takes an order that was tried before, the provider that was tried first. */
export function OrderChooser({ order, tried }: { order: string; tried: string }) {
  return <ProviderChooser known={useOrder(order)} again={tried} />
}
