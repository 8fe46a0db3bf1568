import type { TableOffer } from './tables.ts'

/** The admin list of languages as a file; it is short, so it has no filters. */
export const languagesOffer = {
  sorts: ['langName'],
  opensWith: 'langName',
  filters: {},
  searchable: false,
} as const satisfies TableOffer
