import type { Person } from '@hansom/domain/access/relation'
import { type Os, signedIn } from '../../../platform/http/implement.ts'
import type { SignedInContext } from '../../../platform/http/request-context.ts'
import type { TrackingService } from './service.ts'

export function trackingRoutes(os: Os, tracking: TrackingService) {
  const person = ({ viewer }: SignedInContext): Person => ({ id: viewer.uid, usertype: viewer.role })
  return {
    latest: os.tracking.latest
      .use(signedIn)
      .handler(({ context, input }) => tracking.latest(person(context), input.id)),
    path: os.tracking.path
      .use(signedIn)
      .handler(({ context, input }) => tracking.path(person(context), input.id)),
    nearby: os.tracking.nearby.handler(({ input }) => tracking.nearby(input)),
    state: os.tracking.state.use(signedIn).handler(({ context }) => tracking.state(context.viewer.uid)),
    online: os.tracking.online
      .use(signedIn)
      .handler(({ context, input }) => tracking.setOnline(context.viewer.uid, input.online)),
    report: os.tracking.report.use(signedIn).handler(async ({ context, input }) => ({
      accepted: await tracking.report(person(context), input.positions),
    })),
  }
}
