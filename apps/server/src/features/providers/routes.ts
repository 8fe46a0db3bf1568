import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { ProvidersService } from './service.ts'

/** Admins alone; the table of routes says so. */
export function providersRoutes(os: Os, providers: ProvidersService) {
  return {
    list: os.providers.list.handler(() => providers.list()),
    test: os.providers.test
      .use(signedIn)
      .handler(({ context, input }) => providers.test(context.viewer.uid, input.name)),
  }
}
