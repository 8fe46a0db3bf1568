import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { EarningsService } from './service.ts'

const pageSize = 30

/** A driver's own earnings. */
export function earningsRoutes({ earnings: os }: Os, service: EarningsService) {
  return {
    period: os.period.use(signedIn).handler(({ context, input }) => service.period(context.viewer.id, input)),
    lines: os.lines
      .use(signedIn)
      .handler(({ context, input: { limit, ...asked } }) =>
        service.lines(context.viewer.id, { ...asked, limit: limit ?? pageSize }),
      ),
  }
}
