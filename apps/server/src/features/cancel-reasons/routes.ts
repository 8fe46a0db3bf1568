import type { Os } from '../../platform/http/implement.ts'
import type { CancelReasonsService } from './service.ts'

export function cancelReasonsRoutes(os: Os, cancelReasons: CancelReasonsService) {
  return { list: os.cancelReasons.list.handler(() => cancelReasons.list()) }
}
