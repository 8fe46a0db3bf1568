import type { DispatchChange, DispatchHold } from '@hansom/contract/dispatch'
import { liveTopics } from '@hansom/contract/live'
import { assignableStatuses, holdMs } from '@hansom/domain/dispatch/board'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { channelName } from '../../../platform/live/channels.ts'

/** The channel of the dispatch screen: all admins see the same. */
export const boardChannel = channelName(liveTopics.dispatch, 'admin')

interface HoldsDeps {
  pool: Pool
  clock: Pick<Clock, 'now' | 'speed'>
  hub: { publish(channel: string, data: unknown): void }
}

export type Holds = ReturnType<typeof createHolds>

/** Attempts to read a hold that another admin takes or releases at the same moment. */
const attempts = 3

/**
 * Which admin works on which booking, for the others on the dispatch screen. A hold expires unless renewed, and blocks
 * no command.
 */
export function createHolds({ pool, clock, hub }: HoldsDeps) {
  const publish = (change: DispatchChange) => hub.publish(boardChannel, change)

  const publishReleased = (rows: { booking: string; user: string }[]) => {
    for (const released of rows) publish({ released })
  }

  return {
    /** The holds in force at `now`. */
    async all(now: number): Promise<DispatchHold[]> {
      const reply = await pool.query<DispatchHold>({
        name: 'booking-holds',
        text: `select h.booking_id as booking, h.user_id as user, n.name, h.until
          from booking_holds h join user_names n on n.id = h.user_id where h.until > $1`,
        values: [now],
      })
      return reply.rows
    },

    async hold(booking: string, user: string): Promise<DispatchHold> {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const now = clock.now()
        const reply = await pool.query<DispatchHold & { taken: boolean }>({
          name: 'hold-booking',
          text: `with taken as (
              insert into booking_holds as h (booking_id, user_id, until)
                select id, $2, $3 from bookings where id = $1 and status = any($5)
                on conflict (booking_id) do update set user_id = excluded.user_id, until = excluded.until
                  where h.user_id = excluded.user_id or h.until <= $4
                returning booking_id, user_id, until),
            held as (select *, true as taken from taken union all
              select booking_id, user_id, until, false from booking_holds
                where booking_id = $1 and until > $4 and not exists (select from taken))
            select booking_id as booking, user_id as user, name, until, taken
              from held join user_names n on n.id = user_id`,
          values: [booking, user, now + holdMs * clock.speed, now, assignableStatuses],
        })
        const [row] = reply.rows
        if (row) {
          const { taken, ...hold } = row
          if (taken) publish({ hold })
          return hold
        }
        await refuseUnless(pool, booking)
      }
      throw new Refusal('unavailable')
    },

    /** Ends an admin's hold on a booking, and removes those that have expired. */
    async release(booking: string, user: string): Promise<void> {
      const reply = await pool.query<{ booking: string; user: string }>({
        name: 'release-booking',
        text: `delete from booking_holds where (booking_id = $1 and user_id = $2) or until <= $3
          returning booking_id as booking, user_id as user`,
        values: [booking, user, clock.now()],
      })
      publishReleased(reply.rows)
    },

    /** Ends all holds of an admin who has left the screen. */
    async releaseAll(user: string): Promise<void> {
      const reply = await pool.query<{ booking: string; user: string }>({
        name: 'release-bookings',
        text: 'delete from booking_holds where user_id = $1 returning booking_id as booking, user_id as user',
        values: [user],
      })
      publishReleased(reply.rows)
    },
  }
}

/** Throws unless the booking exists and can be assigned. */
async function refuseUnless(pool: Pool, booking: string): Promise<void> {
  const reply = await pool.query<{ assignable: boolean }>(
    'select status = any($2) as assignable from bookings where id = $1',
    [booking, assignableStatuses],
  )
  const [row] = reply.rows
  if (!row) throw new Refusal('not_found')
  if (!row.assignable) throw new Refusal('wrong_status')
}
