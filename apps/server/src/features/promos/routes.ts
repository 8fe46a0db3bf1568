import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { PromosAdminService } from './admin-service.ts'

export function promosRoutes({ promos: os }: Os, office: PromosAdminService) {
  return {
    list: os.list.handler(({ input }) => office.page(input)),
    count: os.count.handler(({ input }) => office.count(input)),
    create: os.create.use(signedIn).handler(({ context, input }) => office.add(context.viewer.uid, input)),
    update: os.update
      .use(signedIn)
      .handler(({ context, input: { id, version, ...changes } }) =>
        office.change(context.viewer.uid, id, changes, version),
      ),
    remove: os.remove.use(signedIn).handler(async ({ context, input }) => {
      await office.remove(context.viewer.uid, input.id)
      return { ok: true } as const
    }),
  }
}
