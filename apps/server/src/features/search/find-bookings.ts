import type { Person } from '@hansom/domain/access/relation'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { searchPatterns } from '../../platform/tables/search-patterns.ts'
import { bookingsTable } from '../bookings/table.ts'

const { id, booking_id, customer, driver, fleetadmin, tripdate, pickup, drop, carType } = bookingsTable

// What rider and driver of a trip both see of it.
const everything = sql`search_fold(' ' || ${booking_id} || ' ' || ${carType} || ' ' || (${pickup}->>'add') || ' ' || (${drop}->>'add'))`

/** Codes that begin with the text. They are of capitals and digits, of which Z is the last in every order of letters. */
function begins(text: string): SQL {
  const code = text.toUpperCase()
  return sql`${booking_id} between ${code} and ${`${code}ZZZZZZ`}`
}

/**
 * The ids of a person's bookings that fit the text, the latest trip first. The office, whose bookings are many, finds
 * them by the beginning of their code; rider and driver also by places and car.
 */
export async function findBookings(
  queries: Queries,
  person: Person,
  text: string,
  limit: number,
): Promise<string[]> {
  const words = () =>
    and(...searchPatterns(text).map((pattern) => sql`${everything} like search_fold(${pattern}::text)`))
  const isCode = /^[0-9a-z]{2,6}$/i.test(text)
  const scope = {
    admin: () => isCode && begins(text),
    fleetadmin: () => isCode && and(eq(fleetadmin, person.id), begins(text)),
    driver: () => and(eq(driver, person.id), words()),
    rider: () => and(eq(customer, person.id), words()),
  }[person.usertype]()
  if (!scope) return []
  const rows = await queries
    .select({ id })
    .from(bookingsTable)
    .where(scope)
    .orderBy(desc(tripdate), desc(id))
    .limit(limit)
  return rows.map((row) => row.id)
}
