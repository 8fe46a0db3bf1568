import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { CancelReasonsAdmin } from './admin-service.ts'
import type { CancelReasonsService } from './service.ts'

export function cancelReasonsRoutes(
  { cancelReasons: os }: Os,
  cancelReasons: CancelReasonsService,
  office: CancelReasonsAdmin,
) {
  return {
    list: os.list.handler(() => cancelReasons.list()),
    table: os.table.handler(({ input }) => office.page(input)),
    count: os.count.handler(({ input }) => office.count(input)),
    create: os.create
      .use(signedIn)
      .handler(({ context, input }) => office.add(context.viewer.uid, input.label)),
    update: os.update
      .use(signedIn)
      .handler(({ context, input: { id, label, version } }) =>
        office.rename(context.viewer.uid, id, label, version),
      ),
    move: os.move
      .use(signedIn)
      .handler(({ context, input: { id, to, order } }) => office.move(context.viewer.uid, id, to, order)),
    remove: os.remove.use(signedIn).handler(async ({ context, input }) => {
      await office.remove(context.viewer.uid, input.id)
      return { ok: true } as const
    }),
  }
}
