import { liveTopics } from '@hansom/contract/live'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { channelName } from '../../../platform/live/topics.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { UsersService } from '../../users/service.ts'
import { userChanged } from '../../users/user-changed.ts'
import type { LivePublisher } from '../live/publish.ts'
import { bookingChanged, readNews } from '../news.ts'
import { syncDriver } from './index-drivers.ts'

export interface FollowDeps {
  driverIndex: DriverIndex
  hub: LivePublisher
  outbox: Outbox
  users: Pick<UsersService, 'me'>
}

/** Tells people of changes of their own record, and keeps the index of drivers in step with it. */
export function followPeople({ driverIndex, hub, outbox, users }: FollowDeps): void {
  const tellUser = async (user: string, tx: Transaction) => {
    const me = await users.me(user, tx.db)
    if (!me) return
    if (me.usertype === 'driver') await syncDriver(tx.client, driverIndex, user)
    hub.publish(channelName(liveTopics.user, user), me)
  }

  outbox.on(bookingChanged, async ({ payload }, tx) => {
    for (const user of readNews(payload).users) await tellUser(user, tx)
  })

  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights } = payload as { user: string; rights: boolean }
    await tellUser(user, tx)
    if (!rights) return
    // Whoever drives no more leaves the index.
    await syncDriver(tx.client, driverIndex, user)
    hub.recheck(user)
  })
}
