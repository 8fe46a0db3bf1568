import { IconRoute, IconSteeringWheel, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { matchesQuery } from '../../lib/matches-query.ts'
import type { MenuEntry } from '../menu.ts'
import { menuIcons } from '../shells/menu-icons.ts'
import type { PaletteGroup, PaletteItem } from './palette-item.ts'
import { type Choice, recentChoices } from './recent-choices.ts'
import { pageKeys } from './shortcuts.ts'
import { useSearchResults } from './use-search-results.ts'

const icons = { rider: IconUser, driver: IconSteeringWheel, booking: IconRoute }

interface Sources {
  uid: string
  pages: readonly MenuEntry[]
  commands: readonly PaletteItem[]
}

/** Items that match the input, without duplicates: recent choices, pages, users, bookings and commands. */
export function usePaletteGroups(typed: string, { uid, pages, commands }: Sources) {
  const { t } = useText()
  const [recent] = useState(() => recentChoices(uid))
  const found = useSearchResults(typed)

  const pageItems = pages.map(({ path, label, icon }): PaletteItem => {
    const key = pageKeys[path]
    return {
      id: `page-${path}`,
      label: t(label),
      detail: null,
      note: key ? `G ${key.toUpperCase()}` : null,
      icon: menuIcons[icon],
      choice: { kind: 'page', id: path, label: t(label), detail: null },
    }
  })
  const known = (choice: Choice): PaletteItem | undefined => {
    const { kind, id, label, detail } = choice
    if (kind === 'page') return pageItems.find((item) => item.choice?.id === id)
    return { id: `${kind}-${id}`, label, detail, note: null, icon: icons[kind], choice }
  }
  const groups: PaletteGroup[] = [
    { id: 'recent', items: recent.flatMap((choice) => known(choice) ?? []) },
    { id: 'pages', items: pageItems },
    { id: 'commands', items: [...commands] },
  ]
  const seen = new Set<string>()
  const shown = groups.map(({ id, items }) => ({
    id,
    items: items.filter(({ label, detail }) => matchesQuery(typed, `${label} ${detail ?? ''}`)),
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
