import type { Role } from '@hansom/domain/users/roles'

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
  | 'cardPayments'
  | 'disputes'
  | 'settings'
  | 'appInfo'
  | 'languages'
  | 'audit'
  | 'mailbox'
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
