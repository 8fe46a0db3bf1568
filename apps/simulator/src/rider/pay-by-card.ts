import type { Client } from '@hansom/client/client'
import type { SignedInFetch } from '../city/signed-in-fetch.ts'

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
