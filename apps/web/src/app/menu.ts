import { mayOpen, type ScreenPath } from '@hansom/domain/access/screens'
import type { Role } from '@hansom/domain/users/roles'
import type { Screen } from './screens.ts'

/** The pictures of the menu; drawn in shells/menu-icons.ts, so that the landing page carries none of them. */
export type MenuIcon =
  | 'home'
  | 'dashboard'
  | 'bookings'
  | 'addBooking'
  | 'users'
  | 'riders'
  | 'drivers'
  | 'fleetadmins'
  | 'admins'
  | 'carTypes'
  | 'cancelReasons'
  | 'reports'
  | 'earnings'
  | 'wallet'
  | 'addToWallet'
  | 'withdraws'
  | 'ledger'
  | 'settings'
  | 'appInfo'
  | 'languages'
  | 'audit'
  | 'outbox'
  | 'promos'
  | 'notifications'
  | 'profile'

/** Groups that open, with the key of their name. */
export const menuGroups = {
  users: { label: 'menu.users', icon: 'users' },
  wallet: { label: 'menu.wallet', icon: 'wallet' },
  settings: { label: 'menu.settings', icon: 'settings' },
} as const satisfies Record<string, { label: string; icon: MenuIcon }>

export type MenuGroup = keyof typeof menuGroups

export interface MenuPlace {
  icon: MenuIcon
  /** Key of the entry; the page's title when absent. */
  label?: string
  /** For a role that knows the page by another name. */
  labelFor?: Partial<Record<Role, string>>
  /** The group it stands in; somebody who sees only one page of a group sees it without the group. */
  group?: MenuGroup
}

export interface MenuEntry {
  path: ScreenPath
  /** Key of its name. */
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

/** The menu of a role: the pages it may open in the order of `screens`, groups where their first page stands. */
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

/** The same without its groups. */
export function entriesOf(menu: readonly (MenuEntry | MenuSection)[]): MenuEntry[] {
  return menu.flatMap((node) => ('group' in node ? node.entries : [node]))
}
