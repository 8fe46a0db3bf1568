import type { FoundBooking, FoundUser } from '@hansom/contract/search'
import type { TablerIcon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statusKey } from '../../entities/bookings/status-key.ts'
import { orpc } from '../../lib/api.ts'
import { serverNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { matchesQuery } from '../../lib/matches-query.ts'
import { useSettings } from '../../lib/settings.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import type { MenuEntry } from '../menu.ts'
import { menuIcons } from '../shells/menu-icons.ts'
import { type Choice, recentChoices } from './recent-choices.ts'
import { pageKeys } from './shortcuts.ts'

const menuEntries = { rider: 'riders', driver: 'drivers', booking: 'bookings' } as const

interface Sources {
  uid: string
  pages: readonly MenuEntry[]
  commands: readonly PaletteItem[]
}

/** Items that match the input, without duplicates: recent choices, pages, users, bookings and commands. */
export function usePaletteGroups(typed: string, { uid, pages, commands }: Sources) {
  const { t } = useText()
  const { category } = useSettings()
  /** Other words for a page, in the language of the texts; empty if it has none. */
  const synonymsOf = (path: string) => {
    const key = `palette.also_${path.slice(1)}`
    const words = t(key)
    return words === key ? '' : words
  }
  const [recent] = useState(() => recentChoices(uid))
  const found = useSearchResults(typed)

  const pageItems = pages.map(({ path, label, icon }): PaletteItem => {
    const key = pageKeys[path]
    return {
      id: `page-${path}`,
      label: t(label),
      synonyms: synonymsOf(path),
      detail: null,
      note: key ? `G ${key.toUpperCase()}` : null,
      icon: menuIcons[category][icon],
      choice: { kind: 'page', id: path, label: t(label), detail: null },
    }
  })
  const known = (choice: Choice): PaletteItem | undefined => {
    const { kind, id, label, detail } = choice
    if (kind === 'page') return pageItems.find((item) => item.choice?.id === id)
    return {
      id: `${kind}-${id}`,
      label,
      detail,
      note: null,
      icon: menuIcons[category][menuEntries[kind]],
      choice,
    }
  }
  const groups: PaletteGroup[] = [
    { id: 'recent', items: recent.flatMap((choice) => known(choice) ?? []) },
    { id: 'pages', items: pageItems },
    { id: 'commands', items: [...commands] },
  ]
  const seen = new Set<string>()
  const shown = groups.map(({ id, items }) => ({
    id,
    items: items.filter(({ label, detail, synonyms = '' }) =>
      matchesQuery(typed, `${label} ${detail ?? ''} ${synonyms}`),
    ),
  }))
  shown.splice(2, 0, ...found.groups)
  return {
    busy: found.busy,
    error: found.error,
    groups: shown
      .map(({ id, items }) => ({
        id,
        items: items.filter((item) => !seen.has(item.id) && seen.add(item.id)),
      }))
      .filter(({ items }) => items.length > 0),
  }
}

/** Pause in typing before the search is sent. */
const debounceMs = 200
const fewestLetters = 2

/** Users and bookings that match the input; results of an earlier query are not shown. */
function useSearchResults(typed: string): { groups: PaletteGroup[]; busy: boolean; error: unknown } {
  const { t } = useText()
  const { category } = useSettings()
  const format = useFormat()
  const wanted = typed.trim()
  const query = useDebounced(wanted, debounceMs)
  const searchable = wanted.length >= fewestLetters
  const search = useQuery({
    ...orpc.search.find.queryOptions({ input: { q: query } }),
    enabled: searchable && query.length >= fewestLetters,
    staleTime: 10_000,
  })
  if (!searchable) return { groups: [], busy: false, error: null }
  if (query !== wanted || search.isPending) return { groups: [], busy: !search.isError, error: search.error }
  if (!search.data) return { groups: [], busy: false, error: search.error }

  const user = (kind: 'rider' | 'driver', { uid, name, email, vehicleNumber }: FoundUser): PaletteItem => ({
    id: `${kind}-${uid}`,
    label: name,
    detail: email,
    note: vehicleNumber,
    icon: menuIcons[category][menuEntries[kind]],
    choice: { kind, id: uid, label: name, detail: email },
  })
  const booking = (found: FoundBooking): PaletteItem => {
    const detail = [format.date(found.tripdate), found.name, found.pickupAddress]
      .filter((part): part is string => Boolean(part))
      // Isolates each part's text direction, so that the parts follow the direction of the page.
      .map((part) => `\u2068${part}\u2069`)
      .join(' · ')
    return {
      id: `booking-${found.id}`,
      label: found.booking_id,
      detail,
      note: t(statusKey(found, serverNow())),
      icon: menuIcons[category][menuEntries.booking],
      choice: { kind: 'booking', id: found.id, label: found.booking_id, detail },
    }
  }
  const { riders, drivers, bookings } = search.data
  const users: PaletteGroup[] = [
    { id: 'drivers', items: drivers.map((one) => user('driver', one)) },
    { id: 'riders', items: riders.map((one) => user('rider', one)) },
  ]
  const trips: PaletteGroup = { id: 'bookings', items: bookings.map(booking) }
  // A booking code ranks bookings first; otherwise users come first.
  const isCode = bookings.some(({ booking_id }) => booking_id.startsWith(wanted.toUpperCase()))
  const groups = isCode ? [trips, ...users] : [...users, trips]
  return { groups, busy: false, error: null }
}

export interface PaletteItem {
  id: string
  label: string
  detail: string | null
  /** Other words that find it; they are not shown. */
  synonyms?: string
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
