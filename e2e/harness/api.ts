import { createClient } from '@hansom/client/client'
import type { ApiClient } from '@hansom/client/rest-link'
import { type Account, accounts } from './accounts.ts'

/** Signs in with a demo account; returns its calls. Benches use it, too, where vitest cannot be imported. */
export async function callAs(url: string, account: Account): Promise<ApiClient> {
  const client = createClient({ url })
  await client.signIn(accounts[account], 'demo2026')
  if (process.env.VITEST === undefined) return client.api
  const { isDelivery, recipient } = await import('./category.ts')
  return isDelivery ? delivering(client.api, recipient) : client.api
}

/**
 * The calls of a taxi trip for a delivery: it is booked with a recipient, its courier collects the cash with the parcel
 * and hands the parcel over before the end.
 */
function delivering(api: ApiClient, recipient: object): ApiClient {
  const { bookings } = api
  const calls: Pick<ApiClient['bookings'], 'create' | 'start' | 'reach'> = {
    create: (input, ...options) => bookings.create({ instructionData: recipient, ...input }, ...options),
    async start(input, ...options) {
      const { payment_mode, prepaid, payableAmount } = await bookings.get({ id: input.id })
      const cash = payment_mode === 'cash' && !prepaid ? { cash: payableAmount } : {}
      return bookings.start({ ...input, ...cash }, ...options)
    },
    async reach(input, ...options) {
      const { delivery } = await bookings.get({ id: input.id })
      for (const { n, kind, outcome } of delivery?.stops ?? [])
        if (kind !== 'pickup' && outcome === null) await bookings.deliver({ id: input.id, stop: n })
      return bookings.reach(input, ...options)
    },
  }
  return replaced(api, { bookings: replaced(bookings, calls) })
}

/**
 * A client with some parts replaced. A client makes its calls as they are read, also `then`, by which an awaited one would
 * return itself without the replacement.
 */
function replaced<Whole extends object>(whole: Whole, parts: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get: (target, name) => (name === 'then' ? undefined : Reflect.get(name in parts ? parts : target, name)),
  })
}
