import type { Person } from '@hansom/domain/access/relation'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { SignedInContext } from '../../platform/http/request-context.ts'
import type { TripLinksService } from './service.ts'

export function tripLinksRoutes({ tripLinks: os }: Os, links: TripLinksService) {
  const person = ({ viewer }: SignedInContext): Person => ({ id: viewer.uid, usertype: viewer.role })
  return {
    count: os.count
      .use(signedIn)
      .handler(async ({ context, input }) => ({ active: await links.count(person(context), input.id) })),
    create: os.create
      .use(signedIn)
      .handler(async ({ context, input }) => ({ path: await links.create(person(context), input.id) })),
    revoke: os.revoke.use(signedIn).handler(async ({ context, input }) => {
      await links.revoke(person(context), input.id)
      return { active: 0 }
    }),
    show: os.show.handler(({ input }) => links.show(input.token)),
  }
}
