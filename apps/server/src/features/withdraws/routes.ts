import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { WithdrawsService } from './service.ts'

export function withdrawsRoutes({ withdraws: os }: Os, withdraws: WithdrawsService) {
  return {
    list: os.list.handler(({ input }) => withdraws.page(input)),
    count: os.count.handler(({ input }) => withdraws.count(input)),
    process: os.process
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        withdraws.process(viewer.uid, input.id, idempotencyKey),
      ),
    refuse: os.refuse
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        withdraws.refuse(viewer.uid, input.id, input.reason, idempotencyKey),
      ),
    own: os.own
      .use(signedIn)
      .handler(({ context, input }) => withdraws.own(context.viewer.uid, input.cursor)),
    takeBack: os.takeBack
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        withdraws.takeBack(viewer.uid, input.id, idempotencyKey),
      ),
    request: os.request
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        withdraws.request(viewer.uid, input, idempotencyKey),
      ),
  }
}
