import type { PersonBoot } from '@hansom/contract/boot'
import { bookingTopic } from '@hansom/contract/live'
import type { ScreenPath } from '@hansom/domain/access/screens'
import { Refusal } from '@hansom/domain/error-keys'
import type { SessionActor } from '../../platform/http/request-context.ts'
import type { TopicRegistry } from '../../platform/live/topics.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'

export interface FirstDataDeps {
  topics: Pick<TopicRegistry, 'sourceOf'>
  bookingsFeature: { tracking: Pick<TrackingService, 'state'> }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns the data for the first render, so that nothing moves when it arrives: a trip, or a driver's open trips and
 * requests.
 */
export async function firstData(
  { topics, bookingsFeature }: FirstDataDeps,
  screen: ScreenPath | null,
  path: string,
  viewer: SessionActor,
): Promise<PersonBoot['first']> {
  const names: [kind: 'booking' | 'bookings' | 'requests', id: string | null][] = []
  const isDriver = viewer.role === 'driver'
  const id = path.split('/')[2] ?? ''
  if (screen === '/trip/$id' && uuid.test(id)) names.push(['booking', id])
  if (screen === '/' && viewer.role === 'rider') names.push(['bookings', null])
  if (screen === '/bookings' && isDriver) names.push(['bookings', null], ['requests', null])
  const snapshots = await Promise.all(
    names.map(async ([kind, id]) => {
      const snapshot = await topics.sourceOf(kind)?.snapshot(viewer, id).catch(refusedAsNothing)
      return [id === null ? kind : bookingTopic(id), snapshot] as const
    }),
  )
  const driver = screen === '/bookings' && isDriver ? await bookingsFeature.tracking.state(viewer.id) : null
  return {
    ...(driver === null ? {} : { driver }),
    topics: Object.fromEntries(snapshots.filter(([, snapshot]) => snapshot !== undefined)),
  }
}

/** The page itself handles a record that is missing or not visible. */
function refusedAsNothing(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
