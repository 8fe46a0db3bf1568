import type { Viewer } from '../../../platform/http/request-context.ts'

/** All admins share one view. */
export const adminAudience = 'admin'
/** All viewers who may follow a car share one view. */
export const trackingAudience = 'all'

/** The audience of a viewer for bookings: shared by admins, separate for every other user. */
export function audienceOf(viewer: Viewer): string {
  return viewer.role === 'admin' ? adminAudience : viewer.uid
}
