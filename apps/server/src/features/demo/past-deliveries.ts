import type { Decision } from '@hansom/domain/bookings/decision'
import type { CommandInput } from '@hansom/domain/bookings/facts'
import { type CreateFacts, stopCode } from '@hansom/domain/bookings/new-booking'
import type { Delivery } from '@hansom/domain/deliveries/delivery'
import type { PastLedger } from './past-ledger.ts'
import type { PastRoute } from './past-routes.ts'
import { demoName } from './user-data.ts'

const minuteMs = 60_000
/** A courier waits longer at a stop than the settings of the demo ask for. */
const waitMinutes = 5

/** The parcels and recipients of a past booking; null in the taxi category. */
export function deliveryFacts(
  { delivery }: PastRoute,
  leaveAt: number,
  chance: () => number,
): CreateFacts['delivery'] {
  if (!delivery) return null
  const drops = delivery.drops.map((place) => {
    const { firstName, lastName } = demoName(1 + Math.floor(chance() * 400))
    const deliveryPersonPhone = `+5989${String(Math.floor(chance() * 1e7)).padStart(7, '0')}`
    return { place, deliveryPerson: `${firstName} ${lastName}`, deliveryPersonPhone }
  })
  const { plan } = delivery
  return {
    request: { drops, order: 'best', cash_at: null, parcelTypeIndex: chance() < 0.6 ? 0 : 1 },
    plan: { ...plan, departure: leaveAt, arrivals: plan.arrivals.map((arrival) => leaveAt + arrival) },
    codes: drops.map(() => stopCode(chance())),
    leaveAt,
  }
}

/** A courier visits the stops; sometimes a recipient is not there. Yields the time of the next step, epoch ms. */
export function* visitStops(
  city: Pick<PastLedger, 'deliveries' | 'chance' | 'now'>,
  command: (input: CommandInput) => void,
  id: string,
  after: (least: number, most: number) => number,
): Generator<number, void, void> {
  for (let n = 1; ; n += 1) {
    const stop = city.deliveries.get(id)?.stops[n]
    const before = city.deliveries.get(id)?.stops[n - 1]
    if (!stop || !before) return
    const seconds = Math.max(60, (stop.planned_at - before.planned_at) / 1000)
    yield after(seconds * 0.9, seconds * 1.25)
    const location = stop.place
    if (stop.kind === 'drop' && city.chance() < 0.04) {
      const reason = city.chance() < 0.7 ? 'no_one_there' : 'refused'
      const arrivedAt = city.now
      yield after(waitMinutes * 60, (waitMinutes + 3) * 60)
      const minutes = Math.floor((city.now - arrivedAt) / minuteMs)
      const seen = Array.from({ length: minutes }, (_, minute) => ({
        ...location,
        at: arrivedAt + minute * minuteMs + 1,
      }))
      command({ command: 'fail_drop', stop: n, reason, location, seen })
    } else {
      const code = stop.code ?? undefined
      command({ command: 'deliver', stop: n, name: stop.person, code, location })
    }
  }
}

/** Stores the stops that a command has changed. */
export function changeStops(deliveries: Map<string, Delivery>, id: string, changed: Decision['stops']): void {
  const delivery = deliveries.get(id)
  if (!delivery || changed.length === 0) return
  const stops = new Map([...delivery.stops, ...changed].map((stop) => [stop.n, stop]))
  deliveries.set(id, { ...delivery, stops: [...stops.values()] })
}
