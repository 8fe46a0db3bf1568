import type { Os } from '../../../platform/http/implement.ts'
import type { SetupService } from './service.ts'

export function setupRoutes(os: Os, setup: SetupService) {
  return {
    state: os.setup.state.handler(async () => ({ open: await setup.isOpen() })),
    create: os.setup.create.handler(async ({ input }) => ({ uid: await setup.createFirstAdmin(input) })),
  }
}
