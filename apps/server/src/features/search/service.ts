import type { BookingView } from '@hansom/contract/bookings'
import { type FoundBooking, type FoundPerson, maxResultsPerKind } from '@hansom/contract/search'
import type { UserView } from '@hansom/contract/users'
import type { Actor } from '@hansom/domain/access/relation'
import type { Role } from '@hansom/domain/users/roles'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { PeopleService } from '../users/admin/service.ts'

const fewestLetters = 2

export interface SearchService {
  /** Returns the matches for a search text in everything the user may see. */
  find(
    person: Actor,
    text: string,
  ): Promise<{ riders: FoundPerson[]; drivers: FoundPerson[]; bookings: FoundBooking[] }>
}

export interface SearchDeps {
  people: Pick<PeopleService, 'list'>
  bookings: Pick<BookingsService, 'list'>
}

/** The user types that the palette of each role finds. */
const findsPeople: Readonly<Record<Role, readonly Role[]>> = {
  admin: ['rider', 'driver'],
  fleetadmin: ['driver'],
  driver: [],
  rider: [],
}

export function createSearchService({ people, bookings }: SearchDeps): SearchService {
  const peopleOf = async (person: Actor, usertype: Role, q: string) => {
    if (!findsPeople[person.role].includes(usertype)) return []
    const { items } = await people.list(person, { usertype, q, limit: maxResultsPerKind })
    return items.map(foundPerson)
  }
  const bookingsOf = async (person: Actor, q: string) => {
    const { items } = await bookings.list(person, { q, limit: maxResultsPerKind })
    return items.map(foundBooking)
  }
  return {
    async find(person, text) {
      const q = text.trim()
      if (q.length < fewestLetters) return { riders: [], drivers: [], bookings: [] }
      const [riders, drivers, found] = await Promise.all([
        peopleOf(person, 'rider', q),
        peopleOf(person, 'driver', q),
        bookingsOf(person, q),
      ])
      return { riders, drivers, bookings: found }
    },
  }
}

function foundPerson({ uid, firstName, lastName, email, vehicleNumber }: UserView): FoundPerson {
  return { uid, name: `${firstName} ${lastName}`.trim(), email, vehicleNumber }
}

function foundBooking(view: BookingView): FoundBooking {
  const { id, booking_id, status, tripdate, pickupAddress, dropAddress } = view
  const name = view.viewer === 'rider' ? view.driver_name : view.customer_name
  return { id, booking_id, status, tripdate, pickupAddress, dropAddress, name }
}

export function searchRoutes(os: Os, search: SearchService) {
  return {
    find: os.search.find
      .use(signedIn)
      .handler(({ context: { actor }, input }) => search.find(actor, input.q)),
  }
}
