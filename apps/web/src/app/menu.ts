import { mayOpen, type ScreenPath } from '@hansom/domain/access/screens'
import type { Role } from '@hansom/domain/users/roles'
import { type MenuGroup, type MenuIcon, menuGroups } from './menu-options.ts'
import type { Screen } from './screens.ts'

export interface MenuEntry {
  path: ScreenPath
  /** Text key of the name. */
  label: string
  icon: MenuIcon
}

export interface MenuSection {
  group: MenuGroup
  label: string
  icon: MenuIcon
  entries: MenuEntry[]
}

function entryOf({ path, title, menu }: Screen, role: Role): MenuEntry | null {
  if (!menu) return null
  return { path, label: menu.labelFor?.[role] ?? menu.label ?? title ?? path, icon: menu.icon }
}

/** The menu of a role: the pages it may open, in the order of `screens`; a group appears where its first page would. */
export function menuOf(screens: readonly Screen[], role: Role, onDemo: boolean): (MenuEntry | MenuSection)[] {
  const open = screens.filter(({ path, demo }) => (!demo || onDemo) && mayOpen(path, role))
  const sizeOf = (group: MenuGroup) => open.filter(({ menu }) => menu?.group === group).length
  const menu: (MenuEntry | MenuSection)[] = []
  for (const screen of open) {
    const entry = entryOf(screen, role)
    const group = screen.menu?.group
    if (!entry) continue
    if (!group || sizeOf(group) === 1) {
      menu.push(entry)
      continue
    }
    const section = menu.find((node): node is MenuSection => 'group' in node && node.group === group)
    if (section) section.entries.push(entry)
    else menu.push({ group, ...menuGroups[group], entries: [entry] })
  }
  return menu
}

/** Flattens the groups of a menu. */
export function entriesOf(menu: readonly (MenuEntry | MenuSection)[]): MenuEntry[] {
  return menu.flatMap((node) => ('group' in node ? node.entries : [node]))
}
