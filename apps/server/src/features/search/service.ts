import type { ListedBooking } from '@hansom/contract/bookings'
import { type FoundBooking, type FoundUser, maxResultsPerKind } from '@hansom/contract/search'
import type { UserView } from '@hansom/contract/users'
import type { Actor } from '@hansom/domain/access/relation'
import { fullName } from '@hansom/domain/users/full-name'
import type { Role } from '@hansom/domain/users/roles'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { UserAdminService } from '../users/admin/service.ts'

const fewestLetters = 2

export interface SearchService {
  /** Returns the matches for a search text in everything the user may see. */
  find(
    actor: Actor,
    text: string,
  ): Promise<{ riders: FoundUser[]; drivers: FoundUser[]; bookings: FoundBooking[] }>
}

export interface SearchDeps {
  users: Pick<UserAdminService, 'list'>
  bookings: Pick<BookingsService, 'list'>
}

/** The user types that the palette of each role finds. */
const findsUsers: Readonly<Record<Role, readonly Role[]>> = {
  admin: ['rider', 'driver'],
  fleetadmin: ['driver'],
  driver: [],
  rider: [],
}

export function createSearchService({ users, bookings }: SearchDeps): SearchService {
  const usersOf = async (actor: Actor, usertype: Role, q: string) => {
    if (!findsUsers[actor.role].includes(usertype)) return []
    const { items } = await users.list(actor, { usertype, q, limit: maxResultsPerKind })
    return items.map(foundUser)
  }
  const bookingsOf = async (actor: Actor, q: string) => {
    const { items } = await bookings.list(actor, { q, limit: maxResultsPerKind })
    return items.map(foundBooking)
  }
  return {
    async find(actor, text) {
      const q = text.trim()
      if (q.length < fewestLetters) return { riders: [], drivers: [], bookings: [] }
      const [riders, drivers, found] = await Promise.all([
        usersOf(actor, 'rider', q),
        usersOf(actor, 'driver', q),
        bookingsOf(actor, q),
      ])
      return { riders, drivers, bookings: found }
    },
  }
}

function foundUser({ uid, firstName, lastName, email, vehicleNumber }: UserView): FoundUser {
  return { uid, name: fullName({ firstName, lastName }), email, vehicleNumber }
}

function foundBooking(view: ListedBooking): FoundBooking {
  const { id, booking_id, status, tripdate, drivers_asked_at, pickupAddress, dropAddress } = view
  const name = view.viewer === 'rider' ? view.driver_name : view.customer_name
  return { id, booking_id, status, tripdate, drivers_asked_at, pickupAddress, dropAddress, name }
}

export function searchRoutes(os: Os, search: SearchService) {
  return {
    find: os.search.find
      .use(signedIn)
      .handler(({ context: { actor }, input }) => search.find(actor, input.q)),
  }
}
