import type { Actor } from '@hansom/domain/access/relation'
import type { ChatSide } from '@hansom/domain/chats/chat'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool, PoolClient } from 'pg'
import { type BookingPeople, readPeople } from '../bookings/service.ts'
import type { ChatId } from './store.ts'

/** A conversation as one of its two people finds it. */
export interface FoundChat extends ChatId {
  people: BookingPeople
  side: ChatSide
}

/**
 * The conversation of a booking with its present driver, for one of the two; null for everyone else. `share`: the booking
 * stays as it is until the transaction ends.
 */
export async function findChat(
  client: Pool | PoolClient,
  actor: Actor,
  booking: string,
  share = false,
): Promise<FoundChat | null> {
  const people = (await readPeople(client, [booking], share)).get(booking)
  const driver = people?.driver
  if (!people || !driver || !people.has_account || !actor.approved) return null
  const isRider = actor.role === 'rider' && people.customer === actor.id
  const isDriver = actor.role === 'driver' && driver === actor.id
  if (!isRider && !isDriver) return null
  return { booking, driver, people, side: isRider ? 'rider' : 'driver' }
}

/** Like `findChat`. Throws chat_not_found. */
export async function getChat(...of: Parameters<typeof findChat>): Promise<FoundChat> {
  const found = await findChat(...of)
  if (found === null) throw new Refusal('chat_not_found')
  return found
}
