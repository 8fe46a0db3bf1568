import type { Client } from '@hansom/client/client'
import type { InstructionData } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { chance, oneOf } from '../city/random.ts'
import type { SignedInFetch } from '../city/signed-in-fetch.ts'

const names = ['Alma', 'Bastian', 'Clara', 'Dario', 'Emilia', 'Franco', 'Greta', 'Hugo', 'Irina', 'Joel']
const hints = ['Ring twice, please', 'Ask at the front desk', 'The blue door', 'Call me when you are here']

function recipient() {
  return {
    deliveryPerson: oneOf(names),
    deliveryPersonPhone: `09${Math.floor(1e6 + Math.random() * 8.9e6)}`,
    ...(chance(0.4) && { deliveryInstructions: oneOf(hints) }),
  }
}

/** What a simulated sender writes: a recipient for each drop, and a parcel that the vehicle takes. */
export function parcelFor(
  { parcelTypes, options }: { parcelTypes: readonly unknown[]; options: readonly unknown[] },
  moreDrops: readonly PlacePoint[],
): InstructionData {
  const anyOf = (list: readonly unknown[]) => Math.floor(Math.random() * list.length)
  return {
    ...recipient(),
    moreDrops: moreDrops.map((drop) => ({ drop, ...recipient() })),
    order: 'best',
    ...(parcelTypes.length > 0 && { parcelTypeIndex: anyOf(parcelTypes) }),
    ...(options.length > 0 && { optionIndex: anyOf(options) }),
  }
}

/**
 * Pays a booking with the demo's test provider, as on its page. Returns false where the provider is not set up; throws an
 * ApiError when a call is refused.
 */
export async function payByCard({ api }: Client, send: SignedInFetch, booking: string): Promise<boolean> {
  const order = await api.payments.order({ order: booking })
  if (!order.providers.some(({ name, takes }) => name === 'test' && takes)) return false
  const fields = new URLSearchParams(order.fields.map(({ name, value }) => [name, value]))
  const page = (await send('/pay/test', { method: 'POST', body: fields })).headers.get('location')
  const payment = /^\/checkout\/test\/([\w-]+)$/.exec(page ?? '')?.[1]
  if (payment === undefined) return false
  await api.payments.complete({ payment, input: { decision: 'approve' } })
  return true
}
