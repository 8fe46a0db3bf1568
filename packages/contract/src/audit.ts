import { auditKinds } from '@hansom/domain/audit/record-kinds'
import { z } from 'zod'
import { auditTableSpec } from './audit-table.ts'
import { base } from './base.ts'
import { id, instant, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const fields = z.record(z.string(), z.unknown()).nullable()

/** A change by an admin or fleet admin. */
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
  /** The changed fields; null if the record did not exist before or does not exist after. */
  before: fields,
  after: fields,
  /** Display names of the ids among the values. */
  names: z.record(z.string(), z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/audit', tags: ['audit'] })
    .input(tableInput(auditTableSpec))
    .output(pageOf(auditEntry)),
  count: base
    .route({ method: 'GET', path: '/api/v1/audit/count', tags: ['audit'] })
    .input(tableCountInput(auditTableSpec))
    .output(tableCount),
}
