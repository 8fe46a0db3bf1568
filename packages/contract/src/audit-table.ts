import { auditedRoutes } from '@hansom/domain/audit/audited-routes'
import { auditKinds } from '@hansom/domain/audit/record-kinds'
import type { TableSpec } from './tables.ts'

export const auditTableSpec = {
  sorts: ['at'],
  defaultSort: '-at',
  filters: {
    by_user: { kind: 'id' },
    kind: { kind: 'choice', values: auditKinds },
    action: { kind: 'choice', values: auditedRoutes },
    at: { kind: 'days' },
  },
  searchable: true,
} as const satisfies TableSpec
