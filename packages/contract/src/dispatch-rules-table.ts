import { strategies } from '@hansom/domain/dispatch/strategies'
import type { TableSpec } from './tables.ts'

export const dispatchRulesTableSpec = {
  sorts: ['priority', 'name'],
  defaultSort: 'priority',
  filters: { strategy: { kind: 'choice', values: strategies } },
  searchable: true,
} as const satisfies TableSpec
