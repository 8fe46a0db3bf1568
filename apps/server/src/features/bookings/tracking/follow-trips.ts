import type { Pool } from 'pg'
import { channelName } from '../../../platform/live/topics.ts'
import { liveTopics } from '@hansom/contract/live'
import type { Me } from '@hansom/contract/users'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { userChanged } from '../../users/user-changed.ts'
import type { LivePublisher } from '../live/publish.ts'
import { bookingChanged, readNews } from '../news.ts'
import { bookingJson } from '../store/rows.ts'
import type { ActiveTrips } from './active-trips.ts'

export interface FollowDeps {
  pool: Pool
  driverIndex: DriverIndex
  trips: ActiveTrips
  hub: LivePublisher
  outbox: Outbox
  /** Brings a driver's entry in the index in step with the row. */
  sync(driver: string): Promise<unknown>
  me(id: string): Promise<Me | null>
}

/** Keeps what is in memory in step with what was committed, by this server or another. */
export function followChanges(deps: FollowDeps): void {
  const { pool, trips, hub, outbox, sync } = deps

  const tellUser = async (user: string) => {
    const me = await deps.me(user)
    if (!me) return
    if (me.usertype === 'driver') await sync(user)
    hub.publish(channelName(liveTopics.user, user), me)
  }

  outbox.on(bookingChanged, async ({ payload }) => {
    const news = readNews(payload)
    const reply = await pool.query<{ booking: object }>({
      name: 'booking-for-trips',
      text: 'select to_jsonb(b) as booking from bookings b where id = $1',
      values: [news.booking],
    })
    if (reply.rows[0]) trips.note(bookingJson.read(reply.rows[0].booking))
    for (const user of news.users) await tellUser(user)
  })

  outbox.on(userChanged, async ({ payload }) => {
    const { user, rights } = payload as { user: string; rights: boolean }
    await tellUser(user)
    if (rights) hub.recheck(user)
  })
}
