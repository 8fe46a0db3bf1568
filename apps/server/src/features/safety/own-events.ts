import type { Pool } from 'pg'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type EraseStep, eraseBy } from '../users/erase-user.ts'

/** SQL: the closed events of the trips of the user $1. Open alarms keep their position until they are closed. */
const closedOfUser = `select e.id from safety_events e join booking_money b on b.id = e.booking_id
  where e.state = 'closed' and (e.driver = $1 or b.rider = $1)`

/** Removes positions and notes about a deleted user; the times of questions and alarms stay. $2 is the placeholder name. */
export const eraseFromSafety: readonly EraseStep[] = [
  eraseBy(`update safety_events set lat = null, lng = null, point_at = null where id in
    (${closedOfUser} and e.lat is not null and $2::text is not null limit $3)`),
  eraseBy(`update safety_moments set lat = null, lng = null, note = null where id in
    (select m.id from safety_moments m where m.event_id in (${closedOfUser})
      and num_nonnulls(m.lat, m.lng, m.note) > 0 and $2::text is not null limit $3)`),
]

/** Removes position and notes of an alarm, as the erasure of an account does with those that are closed by then. */
export async function eraseEvent({ client }: Pick<Transaction, 'client'>, event: string): Promise<void> {
  await client.query('update safety_events set lat = null, lng = null, point_at = null where id = $1', [
    event,
  ])
  await client.query('update safety_moments set lat = null, lng = null, note = null where event_id = $1', [
    event,
  ])
}

/** What a user did about the safety of their trips, oldest first. What others did is theirs. */
export async function ownSafetyEvents(pool: Pool, uid: string): Promise<object[]> {
  const { rows } = await pool.query<object>(
    `select e.booking_id as booking, e.kind, m.what, m.at, m.lat, m.lng
      from safety_moments m join safety_events e on e.id = m.event_id where m.by_user = $1 order by m.id`,
    [uid],
  )
  return rows
}
