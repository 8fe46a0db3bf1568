import type { TablerIcon } from '@tabler/icons-react'
import type { Choice } from './recent-choices.ts'

export interface PaletteItem {
  id: string
  label: string
  detail: string | null
  /** At the end of the line: how a booking stands, the keys of a command. */
  note: string | null
  icon: TablerIcon
  /** What is opened and remembered; commands have none. */
  choice: Choice | null
  /** What a command does. */
  run?: () => void
}

export interface PaletteGroup {
  id: 'recent' | 'pages' | 'bookings' | 'drivers' | 'riders' | 'commands'
  items: PaletteItem[]
}
