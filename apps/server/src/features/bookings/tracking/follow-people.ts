import { liveTopics } from '@hansom/contract/live'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { channelName } from '../../../platform/live/topics.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { UsersService } from '../../users/service.ts'
import { userChanged } from '../../users/user-changed.ts'
import type { LivePublisher } from '../live/publish.ts'
import { bookingChanged, readNews } from '../news.ts'
import { syncDriver, syncDrivers } from './index-drivers.ts'

export interface FollowDeps {
  driverIndex: DriverIndex
  hub: LivePublisher
  outbox: Outbox
  users: Pick<UsersService, 'meOfMany'>
}

/** Tells people of changes of their own record, and keeps the index of drivers in step with it. */
export function followPeople({ driverIndex, hub, outbox, users }: FollowDeps): void {
  const tellUsers = async (ids: readonly string[], tx: Transaction) => {
    const people = await users.meOfMany([...new Set(ids)], tx.db)
    const drivers = [...people.values()].filter(({ usertype }) => usertype === 'driver')
    await syncDrivers(
      tx.client,
      driverIndex,
      drivers.map(({ uid }) => uid),
    )
    for (const [user, me] of people) hub.publish(channelName(liveTopics.user, user), me)
  }

  outbox.onMany(bookingChanged, (events, tx) =>
    tellUsers(
      events.flatMap(({ payload }) => readNews(payload).users),
      tx,
    ),
  )

  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights } = payload as { user: string; rights: boolean }
    await tellUsers([user], tx)
    if (!rights) return
    // Whoever drives no more leaves the index.
    await syncDriver(tx.client, driverIndex, user)
    hub.recheck(user)
  })
}
