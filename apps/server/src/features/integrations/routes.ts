import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { IntegrationsService } from './service.ts'

/** Admins only; the route table enforces it. */
export function integrationsRoutes(os: Os, providers: IntegrationsService) {
  return {
    list: os.integrations.list.handler(() => providers.list()),
    test: os.integrations.test
      .use(signedIn)
      .handler(({ context, input }) => providers.test(context.viewer.id, input.name)),
  }
}
