import { mayOpen, type ScreenPath } from '@hansom/domain/access/screens'
import type { Category } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'
import type { MenuIcon } from './shells/menu-icons.ts'

export interface MenuEntry {
  path: ScreenPath
  /** Text key of the name. */
  label: string
  /** The icons are in a file of their own so that the landing page does not load them. */
  icon: MenuIcon
}

export interface MenuSection {
  group: MenuGroup
  label: string
  icon: MenuIcon
  entries: MenuEntry[]
}

/** What the menu needs of a screen. */
interface MenuScreen {
  path: ScreenPath
  title?: string
  menu?: MenuOptions
  demo?: true
  only?: Category
}

function entryOf({ path, title, menu }: MenuScreen, role: Role): MenuEntry | null {
  if (!menu) return null
  return { path, label: menu.labelFor?.[role] ?? menu.label ?? title ?? path, icon: menu.icon }
}

/** The menu of a role: the pages it may open, in the order of `screens`; a group appears where its first page would. */
export function menuOf(
  screens: readonly MenuScreen[],
  role: Role,
  onDemo: boolean,
  category: Category,
): (MenuEntry | MenuSection)[] {
  const open = screens.filter(
    ({ path, demo, only = category }) => (!demo || onDemo) && only === category && mayOpen(path, role),
  )
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

/** Collapsible groups and their text keys. */
const menuGroups = {
  users: { label: 'menu.users', icon: 'users' },
  wallet: { label: 'menu.wallet', icon: 'wallet' },
  settings: { label: 'menu.settings', icon: 'settings' },
} as const satisfies Record<string, { label: string; icon: MenuIcon }>

export type MenuGroup = keyof typeof menuGroups

export interface MenuOptions {
  icon: MenuIcon
  /** Text key of the entry; defaults to the page's title. */
  label?: string
  /** Overrides the label for single roles. */
  labelFor?: Partial<Record<Role, string>>
  /** The group of the entry. A role that can open only one page of a group sees that page without the group. */
  group?: MenuGroup
}
