import type { Viewer } from '../../../platform/http/request-context.ts'

/** All admins see the same. */
export const adminAudience = 'admin'
/** Everybody who may follow a car sees the same. */
export const trackingAudience = 'all'

/** The audience a viewer belongs to for bookings: everybody has views of his own, but for the admins. */
export function audienceOf(viewer: Viewer): string {
  return viewer.role === 'admin' ? adminAudience : viewer.uid
}
