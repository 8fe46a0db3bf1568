import { liveTopics } from '@hansom/contract/live'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { channelName } from '../../../platform/live/topics.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { UsersService } from '../../users/service.ts'
import { userChanged } from '../../users/user-changed.ts'
import type { FleetPublisher } from '../live/fleet.ts'
import type { LivePublisher } from '../live/publish.ts'
import { bookingChanged, readBookingChange } from '../booking-changed-event.ts'
import { syncDrivers } from './index-drivers.ts'

export interface UserChangesDeps {
  driverIndex: DriverIndex
  clock: Clock
  hub: LivePublisher
  fleet: Pick<FleetPublisher, 'changed' | 'left'>
  outbox: Outbox
  users: Pick<UsersService, 'meOfMany'>
}

/** Publishes changes of users to themselves, and syncs the driver index and the admin map. */
export function publishUserChanges({ driverIndex, clock, hub, fleet, outbox, users }: UserChangesDeps): void {
  /** With `mayHaveDriven`, the users may have been drivers until now and are removed from the index and the map. */
  const publishUsers = async (ids: readonly string[], tx: Transaction, mayHaveDriven = false) => {
    const people = await users.meOfMany([...new Set(ids)], tx.db)
    const drive = ids.filter((id) => mayHaveDriven || people.get(id)?.usertype === 'driver')
    const drivers = [...new Set(drive)]
    await syncDrivers({ pool: tx.client, index: driverIndex, clock }, drivers)
    await fleet.changed(drivers, tx.client)
    for (const [user, me] of people) hub.publish(channelName(liveTopics.user, user), me)
  }

  outbox.onBatch(bookingChanged, (events, tx) =>
    publishUsers(
      events.flatMap(({ payload }) => readBookingChange(payload).users),
      tx,
    ),
  )

  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights, left } = payload as { user: string; rights: boolean; left?: string | null }
    await publishUsers([user], tx, rights)
    if (left) fleet.left(user, left)
    if (rights) hub.reauthorize(user)
  })
}
