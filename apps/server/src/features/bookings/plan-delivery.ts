import { setImmediate } from 'node:timers/promises'
import type { StopOrder } from '@hansom/domain/deliveries/delivery'
import type { DeliveryPlan } from '@hansom/domain/deliveries/new-delivery'
import { orderingSteps, planArrivals } from '@hansom/domain/deliveries/order-stops'
import type { LatLng } from '@hansom/domain/geo/point'
import type { DriveTime, Maps } from '../../adapters/maps/port.ts'
import { type PlannedRoute, planRoute } from './plan-route.ts'

/** What a plan is made from. */
export interface DropsToPlan {
  pickup: LatLng
  drops: readonly { place: LatLng; window?: { from: number; to: number } | null | undefined }[]
  order: StopOrder
  /** When the courier leaves the pickup, epoch ms. */
  leaveAt: number
  /** Seconds spent at each drop. */
  serviceS: number
}

export interface PlannedDelivery {
  plan: DeliveryPlan
  /** Seconds after the window's end, for each drop in visiting order; 0 when it is kept. */
  lateS: readonly number[]
  /** From the pickup past all drops. */
  route: PlannedRoute
}

/** The place that has no route from the one before it, as a position in the request's drops; null if it is not known. */
export interface Unreachable {
  unreachable: number | null
}

/** A courier who is asked now leaves the pickup about this much later, ms. */
const untilPickupMs = 10 * 60_000

/** When the courier of a booking leaves the pickup, epoch ms. */
export const leavesAt = (tripdate: number | null, now: number) => tripdate ?? now + untilPickupMs

/**
 * The order of the drops, the planned arrivals and the route, or the drop that cannot be reached, or from which there is no
 * way back. Throws google_places_error as `planRoute`.
 */
export async function planDelivery(maps: Maps, asked: DropsToPlan): Promise<PlannedDelivery | Unreachable> {
  const points = [asked.pickup, ...asked.drops.map(({ place }) => place)].map(({ lat, lng }) => ({
    lat,
    lng,
  }))
  const outside = points.findIndex((point) => !maps.covers(point))
  if (outside >= 0) return unreachable(outside)
  const own = await maps.driveTimeTable(points, points)
  const isOwn = own.every((row) => row.every((time) => time !== null))
  // Outside services charge for each pair, so only the given order is asked of them.
  const table = isOwn ? own : await timesInOrder(maps, points, own)
  const times = {
    drivingS: table.map((row) => row.map((time) => time?.durationS ?? null)),
    departure: asked.leaveAt,
    serviceS: asked.serviceS,
    windows: asked.drops.map(({ window }) => window ?? null),
  }
  const planned = asked.order === 'best' && isOwn ? await inTurns(orderingSteps(times)) : planArrivals(times)
  if (!planned) return unreachable(points.findIndex((_, index) => index > 0 && !table[index - 1]?.[index]))
  const order = planned.drops.map(({ drop }) => drop - 1)
  const path = [0, ...order.map((position) => position + 1)]
  const legs = order.map((_, index) => table[path[index] as number]?.[path[index + 1] as number])
  const back = table[path.at(-1) as number]?.[0]
  const missing = legs.findIndex((leg) => !leg)
  if (missing >= 0) return unreachable(path[missing + 1] as number)
  if (!back) return unreachable(path.at(-1) as number)
  const visited = path.map((index) => points[index] as LatLng)
  const route = await planRoute(maps, asked.pickup, visited.at(-1) as LatLng, visited.slice(1, -1))
  if (!route) return { unreachable: null }
  return {
    plan: {
      departure: asked.leaveAt,
      order,
      legs: legs as DriveTime[],
      arrivals: planned.drops.map(({ arrival }) => arrival),
      back,
    },
    lateS: planned.drops.map(({ lateS }) => lateS),
    route,
  }
}

/** `point` is a position in the plan's points, of which the first one is the pickup. */
const unreachable = (point: number): Unreachable => ({ unreachable: point > 0 ? point - 1 : null })

/** How long steps are taken before other requests have their turn, ms. */
const turnMs = 8

/** The result of work in steps, between which other requests have their turn. */
async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (let since = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - since < turnMs) continue
    await setImmediate()
    since = performance.now()
  }
}

/** The table with the pairs of the given order, and of the way back, filled where our own streets have no route. */
async function timesInOrder(
  maps: Pick<Maps, 'driveTimes'>,
  points: readonly LatLng[],
  own: readonly (readonly (DriveTime | null)[])[],
): Promise<(DriveTime | null)[][]> {
  const table = own.map((row) => [...row])
  await Promise.all(
    points.map(async (from, index) => {
      const next = (index + 1) % points.length
      const row = table[index]
      if (!row || row[next]) return
      const [time] = await maps.driveTimes([from], points[next] as LatLng)
      row[next] = time ?? null
    }),
  )
  return table
}
