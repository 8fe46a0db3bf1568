import type { TablerIcon } from '@tabler/icons-react'
import type { Choice } from './recent-choices.ts'

export interface PaletteItem {
  id: string
  label: string
  detail: string | null
  /** Shown at the end of the row: a booking's status, a command's shortcut. */
  note: string | null
  icon: TablerIcon
  /** Opened and remembered when chosen; null for commands. */
  choice: Choice | null
  /** Action of a command. */
  run?: () => void
}

export interface PaletteGroup {
  id: 'recent' | 'pages' | 'bookings' | 'drivers' | 'riders' | 'commands'
  items: PaletteItem[]
}
