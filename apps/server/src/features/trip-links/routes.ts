import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { TripLinksService } from './service.ts'

export function tripLinksRoutes({ tripLinks: os }: Os, links: TripLinksService) {
  return {
    count: os.count
      .use(signedIn)
      .handler(async ({ context, input }) => ({ active: await links.count(context.viewer, input.id) })),
    create: os.create
      .use(signedIn)
      .handler(async ({ context, input }) => ({ path: await links.create(context.viewer, input.id) })),
    revoke: os.revoke.use(signedIn).handler(async ({ context, input }) => {
      await links.revoke(context.viewer, input.id)
      return { active: 0 }
    }),
    show: os.show.handler(({ input }) => links.show(input.token)),
  }
}
