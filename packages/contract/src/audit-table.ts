import { auditedRoutes } from '@hansom/domain/audit/audited-routes'
import { auditKinds } from '@hansom/domain/audit/kinds'
import type { TableOffer } from './tables.ts'

export const auditOffer = {
  sorts: ['at'],
  opensWith: '-at',
  filters: {
    by_user: { kind: 'id' },
    kind: { kind: 'choice', values: auditKinds },
    action: { kind: 'choice', values: auditedRoutes },
    at: { kind: 'days' },
  },
  searchable: true,
} as const satisfies TableOffer
