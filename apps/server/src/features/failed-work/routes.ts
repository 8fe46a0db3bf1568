import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { FailedWorkService } from './service.ts'

export function failedWorkRoutes({ failedWork: os }: Os, failedWork: FailedWorkService) {
  return {
    list: os.list.handler(async () => ({ items: await failedWork.list() })),
    retry: os.retry.use(signedIn).handler(async ({ context, input }) => ({
      count: await failedWork.retry(context.viewer.id, input),
    })),
    discard: os.discard.use(signedIn).handler(async ({ context, input }) => ({
      count: await failedWork.discard(context.viewer.id, input),
    })),
  }
}
