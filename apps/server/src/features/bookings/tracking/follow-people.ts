import { liveTopics } from '@hansom/contract/live'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { channelName } from '../../../platform/live/topics.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { UsersService } from '../../users/service.ts'
import { userChanged } from '../../users/user-changed.ts'
import type { FleetNews } from '../live/fleet.ts'
import type { LivePublisher } from '../live/publish.ts'
import { bookingChanged, readNews } from '../news.ts'
import { syncDriver, syncDrivers } from './index-drivers.ts'

export interface FollowDeps {
  driverIndex: DriverIndex
  hub: LivePublisher
  fleet: Pick<FleetNews, 'changed' | 'left'>
  outbox: Outbox
  users: Pick<UsersService, 'meOfMany'>
}

/** Tells people of changes of their own record, and keeps the index of drivers and the office's map in step with it. */
export function followPeople({ driverIndex, hub, fleet, outbox, users }: FollowDeps): void {
  const tellUsers = async (ids: readonly string[], tx: Transaction) => {
    const people = await users.meOfMany([...new Set(ids)], tx.db)
    const drivers = [...people.values()].flatMap(({ uid, usertype }) => (usertype === 'driver' ? [uid] : []))
    await syncDrivers(tx.client, driverIndex, drivers)
    await fleet.changed(drivers, tx.client)
    for (const [user, me] of people) hub.publish(channelName(liveTopics.user, user), me)
  }

  outbox.onMany(bookingChanged, (events, tx) =>
    tellUsers(
      events.flatMap(({ payload }) => readNews(payload).users),
      tx,
    ),
  )

  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights, left } = payload as { user: string; rights: boolean; left?: string | null }
    await tellUsers([user], tx)
    if (left) fleet.left(user, left)
    if (!rights) return
    // Who is no driver any more goes from the map.
    await fleet.changed([user], tx.client)
    // Whoever drives no more leaves the index.
    await syncDriver(tx.client, driverIndex, user)
    hub.recheck(user)
  })
}
