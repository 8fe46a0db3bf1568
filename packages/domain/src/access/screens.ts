import type { Role } from '../users/roles.ts'

const everyRole: readonly Role[] = ['rider', 'driver', 'fleetadmin', 'admin']
const backOffice: readonly Role[] = ['admin', 'fleetadmin']
const admin: readonly Role[] = ['admin']

/**
 * Every page with the roles that may open it; null: everyone. A segment that begins with `$` matches any one segment.
 */
export const screenRoles = {
  '/': null,
  '/login': null,
  '/register': null,
  '/about-us': null,
  '/privacy-policy': null,
  '/setup': null,
  '/reset-password': null,
  '/invitation': null,
  '/verify-email': null,
  '/confirm-mobile': null,
  '/track/$token': null,
  '/confirm-email': everyRole,
  '/bookings': everyRole,
  '/profile': everyRole,
  '/trip/$id': everyRole,
  '/receipt/$id': ['rider', 'admin'],
  '/wallet': ['rider', 'driver'],
  '/deliveries': ['rider', 'admin'],
  '/earnings': ['driver'],
  '/checkout': ['rider', 'driver'],
  '/checkout/$provider/$payment': ['rider', 'driver'],
  '/dashboard': backOffice,
  '/operations': backOffice,
  '/safety': backOffice,
  '/drivers': backOffice,
  '/driverearning': backOffice,
  '/cartypes': admin,
  '/cancelreasons': admin,
  '/dispatch': admin,
  '/addbookings': admin,
  '/promos': admin,
  '/dispatchrules': admin,
  '/riders': admin,
  '/alladmin': admin,
  '/fleetadmins': admin,
  '/notifications': admin,
  '/earningreports': admin,
  '/addtowallet': admin,
  '/withdraws': admin,
  '/ledger': admin,
  '/payments': admin,
  '/disputes': admin,
  '/settings': admin,
  '/appinfo': admin,
  '/languagesetting': admin,
  '/audit': admin,
  '/mailbox': admin,
} as const satisfies Record<string, readonly Role[] | null>

export type ScreenPath = keyof typeof screenRoles
/** Paths without parameters. */
export type PlainScreenPath = Exclude<ScreenPath, `${string}$${string}`>

export const isPlainScreen = (path: string): path is PlainScreenPath =>
  Object.hasOwn(screenRoles, path) && !path.includes('$')

/** Former paths of pages, and where they are now. */
export const movedScreens = { '/outbox': '/mailbox' } as const satisfies Record<string, ScreenPath>

/** The page opened after sign-in. */
export const homeOf: Readonly<Record<Role, PlainScreenPath>> = {
  admin: '/dashboard',
  fleetadmin: '/dashboard',
  driver: '/bookings',
  rider: '/',
}

/** The page at a path; null if none exists. */
export function screenAt(path: string): ScreenPath | null {
  let end = path.length
  // A regular expression would take seconds for a path of many slashes.
  while (end > 1 && path[end - 1] === '/') end -= 1
  const segments = path.slice(0, end).split('/')
  const fits = (pattern: string) => {
    const wanted = pattern.split('/')
    return (
      wanted.length === segments.length &&
      wanted.every((part, index) =>
        part.startsWith('$') ? segments[index] !== '' : part === segments[index],
      )
    )
  }
  return (Object.keys(screenRoles) as ScreenPath[]).find(fits) ?? null
}

/**
 * True when this user type (null: signed out) may open a path. An unknown path is allowed, and shows the not-found
 * page.
 */
export function mayOpen(path: string, usertype: Role | null): boolean {
  const screen = screenAt(path)
  const roles: readonly Role[] | null = screen && screenRoles[screen]
  return roles === null || (usertype !== null && roles.includes(usertype))
}
