import type { Os } from '../../platform/http/implement.ts'
import type { AuditService } from './service.ts'

export function auditRoutes({ audit: os }: Os, audit: AuditService) {
  return {
    list: os.list.handler(({ input }) => audit.page(input)),
    count: os.count.handler(({ input }) => audit.count(input)),
  }
}
