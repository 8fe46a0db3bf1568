import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { CarTypesAdmin } from './admin-service.ts'
import { type CarTypesService, carTypeView } from './service.ts'

export function carTypesRoutes({ carTypes: os }: Os, carTypes: CarTypesService, office: CarTypesAdmin) {
  return {
    list: os.list.handler(async () => (await carTypes.list()).map(carTypeView)),
    table: os.table.handler(({ input }) => office.page(input)),
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
