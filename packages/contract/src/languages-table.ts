import type { TableOffer } from './tables.ts'

/** The office's list of languages as a file; it is short, and nothing narrows it. */
export const languagesOffer = {
  sorts: ['langName'],
  opensWith: 'langName',
  filters: {},
  searchable: false,
} as const satisfies TableOffer
