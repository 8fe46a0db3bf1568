import type { Role } from '@hansom/domain/users/roles'

/** Icon names of the menu; the icons are in shells/menu-icons.ts so that the landing page does not load them. */
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

/** Collapsible groups and their text keys. */
export const menuGroups = {
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
