import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { PushNotificationsService } from './service.ts'

export function pushNotificationsRoutes({ pushNotifications: os }: Os, service: PushNotificationsService) {
  return {
    list: os.list.handler(({ input }) => service.page(input)),
    count: os.count.handler(({ input }) => service.count(input)),
    get: os.get.handler(({ input }) => service.get(input.id)),
    create: os.create.use(signedIn).handler(({ context, input }) => service.add(context.viewer.uid, input)),
    update: os.update
      .use(signedIn)
      .handler(({ context, input: { id, version, ...changes } }) =>
        service.change(context.viewer.uid, id, changes, version),
      ),
    remove: os.remove.use(signedIn).handler(async ({ context, input }) => {
      await service.remove(context.viewer.uid, input.id)
      return { ok: true } as const
    }),
    send: os.send
      .use(signedIn)
      .handler(({ context, input }) => service.send(context.viewer.uid, input.id, context.idempotencyKey)),
  }
}
