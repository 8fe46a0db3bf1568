import { safetyNotice, titleOf } from '@hansom/domain/notifications/kinds'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type TableChange, tableChangedKind } from '../../platform/tables/table.ts'
import type { UsersService } from '../users/service.ts'
import type { SafetyDeps } from './deps.ts'
import { type EventRow, readAlerted } from './store.ts'

export const questionTitle = titleOf(safetyNotice)
const alarmTitle = 'alert.safety.title'

/** The outbox event of a change of a booking's questions or alarms. */
export const safetyChanged = 'safety.changed'

type Changed = Pick<EventRow, 'booking_id' | 'fleetadmin'>

/** Publishes changed events to the people of their trips, and with `isAlarm` to the back office. */
export async function announce(
  { outbox }: { outbox: Pick<Outbox, 'write'> },
  tx: Transaction,
  events: readonly Changed[],
  isAlarm: boolean,
): Promise<void> {
  if (events.length === 0) return
  const fleets = [...new Set(events.flatMap(({ fleetadmin }) => fleetadmin ?? []))]
  const payload = { tables: ['safety', 'alerts'], fleets } satisfies TableChange
  await outbox.write(tx, [
    ...events.map(({ booking_id }) => ({
      kind: safetyChanged,
      stream: booking_id,
      payload: { booking: booking_id },
    })),
    ...(isAlarm ? [{ kind: tableChangedKind, payload }] : []),
  ])
}

/**
 * Notifies all admins and the driver's fleet admin of an alarm, in its transaction. The scan of the alerts uses the same keys,
 * so it notifies no one again.
 */
export async function raiseAlarm(
  { users }: { users: Pick<UsersService, 'notify'> },
  tx: Transaction,
  { id, booking_id, fleetadmin }: Pick<EventRow, 'id' | 'booking_id' | 'fleetadmin'>,
  code: string,
  at: number,
): Promise<void> {
  const alerted = await readAlerted(tx.client, fleetadmin)
  await users.notify(
    tx,
    alerted.map((user_id) => ({
      user_id,
      at,
      title: alarmTitle,
      msg: 'alert.safety.msg',
      params: { booking_id: code },
      screen: 'safety',
      booking_id,
      dedupe: `alert:safety:${id}:${user_id}`,
    })),
  )
}

/** Closes the notifications of questions that were answered, closed or turned into alarms, on all devices of both people. */
export async function closeNotices(
  { users }: Pick<SafetyDeps, 'users'>,
  tx: Transaction,
  questions: readonly Pick<EventRow, 'booking_id'>[],
): Promise<void> {
  await users.end(tx, {
    ended: questions.map(({ booking_id: booking }) => ({ booking, titles: [questionTitle] })),
  })
}

/**
 * Closes the notifications of an alarm that someone has taken over, on all devices of everyone who got one. Another alarm of the
 * same trip keeps its own.
 */
export async function closeAlerts(
  { users }: Pick<SafetyDeps, 'users'>,
  tx: Transaction,
  { id }: Pick<EventRow, 'id'>,
): Promise<void> {
  // The key ends with the recipient, which is not part of the occasion.
  const { rows } = await tx.client.query<{ id: string }>(
    'select id from unread_alerts where left(dedupe, -37) = $1',
    [`alert:safety:${id}`],
  )
  await users.end(tx, { ids: rows.map((one) => one.id) })
}
