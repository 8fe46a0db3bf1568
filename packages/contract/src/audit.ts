import { auditKinds } from '@hansom/domain/audit/kinds'
import { z } from 'zod'
import { auditOffer } from './audit-table.ts'
import { base } from './base.ts'
import { id, instant, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const fields = z.record(z.string(), z.unknown()).nullable()

/** A change by the office. */
export const auditEntry = z.object({
  id,
  at: instant,
  by_user: id,
  by_name: z.string(),
  /** Name of the route, such as `users.update`. */
  action: z.string(),
  kind: z.enum(auditKinds),
  subject: z.string(),
  label: z.string(),
  /** The changed fields; null where there was nothing, or is nothing any more. */
  before: fields,
  after: fields,
  /** What the ids among the values are called. */
  names: z.record(z.string(), z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/audit', tags: ['audit'] })
    .input(tableInput(auditOffer))
    .output(pageOf(auditEntry)),
  count: base
    .route({ method: 'GET', path: '/api/v1/audit/count', tags: ['audit'] })
    .input(tableCountInput(auditOffer))
    .output(tableCount),
}
