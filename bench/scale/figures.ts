import type { PositionsResult } from '../positions.ts'
import type { SearchGrowth } from '../search-route.ts'
import type { ServersFanoutLine } from '../servers-fanout.ts'
import type { TripsResult } from '../trips.ts'

/** What `npm run scale` has measured: the content of docs/scale/figures.json. */
export interface ScaleFigures {
  /** With one, two and three servers. */
  trips: TripsResult[]
  /** With more and more drivers on three servers, fifty of them on a trip. */
  positions: PositionsResult[]
  /** Of free drivers alone and of drivers on a trip alone, with one server and with three. */
  kinds: PositionsResult[]
  fanout: ServersFanoutLine[]
  search: SearchGrowth[]
  /** When each part was measured, and of what. */
  origins: Record<Part, Origin>
}

export const scaleParts = ['trips', 'positions', 'kinds', 'fanout', 'search'] as const
export type Part = (typeof scaleParts)[number]

export interface Origin {
  /** The day, such as 2026-11-27. */
  date: string
  commit: string
  node: string
  cores: number
}
