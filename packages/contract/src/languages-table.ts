import type { TableSpec } from './tables.ts'

/** The admin list of languages as a file; it is short, so it has no filters. */
export const languagesTableSpec = {
  sorts: ['langName'],
  defaultSort: 'langName',
  filters: {},
  searchable: false,
} as const satisfies TableSpec
