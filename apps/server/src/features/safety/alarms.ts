import type { SafetyAlarm } from '@hansom/contract/safety'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type BookingPeople, readPeople } from '../bookings/service.ts'
import type { SafetyDeps } from './deps.ts'
import { eraseEvent } from './own-events.ts'
import { announce, closeAlerts } from './raise-alarm.ts'
import { readAlarm, readAlarms } from './read-alarms.ts'
import { type EventRow, insertMoment, lockEvent } from './store.ts'
import { createAlarmView } from './view-alarms.ts'

/** What admins do with alarms. All throw not_found for an alarm that does not exist for the actor. */
export interface AlarmsService {
  list(actor: Actor, state: 'open' | 'closed'): Promise<SafetyAlarm[]>
  /** Notes that the actor has seen an alarm. */
  seen(actor: Actor, id: string): Promise<SafetyAlarm>
  /** Takes charge. A repeat changes nothing. Throws conflict if another admin has, or the alarm is closed. */
  acknowledge(actor: Actor, id: string): Promise<SafetyAlarm>
  addNote(actor: Actor, id: string, note: string): Promise<SafetyAlarm>
  /** Throws conflict if no one has taken charge, or it is closed. */
  resolve(actor: Actor, id: string, note: string): Promise<SafetyAlarm>
}

export function createAlarms(deps: SafetyDeps): AlarmsService {
  const { database, clock } = deps

  const view = createAlarmView(deps)

  const show = async (actor: Actor, id: string): Promise<SafetyAlarm> => {
    const alarm = await readAlarm(database.pool, id)
    const [shown] = alarm ? await view(actor, [alarm]) : []
    if (!shown) throw new Refusal('not_found')
    return shown
  }

  const lock = async (tx: Transaction, actor: Actor, id: string) => {
    const row = await lockEvent(tx.client, id)
    const isSeen = row?.alarm_at !== null && (actor.role === 'admin' || row?.fleetadmin === actor.id)
    if (row === null || !isSeen) throw new Refusal('not_found')
    return row
  }

  /** Runs a change of an alarm with its audit row, and publishes it. */
  const change = async (
    actor: Actor,
    id: string,
    action: 'acknowledge' | 'note' | 'resolve',
    apply: (change: {
      tx: Transaction
      row: EventRow
      trip: BookingPeople | undefined
      at: number
    }) => Promise<Record<string, string> | null>,
  ) => {
    await database.withTransaction(async (tx) => {
      const row = await lock(tx, actor, id)
      const at = clock.now()
      const trip = (await readPeople(tx.client, [row.booking_id])).get(row.booking_id)
      const after = await apply({ tx, row, trip, at })
      if (after === null) return
      await writeAudit(tx, {
        by: actor.id,
        at,
        action: `safety.${action}`,
        kind: 'safety',
        subject: id,
        label: trip?.booking_id ?? id,
        before: null,
        after,
      })
      await announce(deps, tx, [row], true)
    })
    return show(actor, id)
  }

  return {
    list: async (actor, state) =>
      view(actor, await readAlarms(database.pool, state, actor.role === 'admin' ? null : actor.id)),

    async seen(actor, id) {
      await database.withTransaction(async (tx) => {
        const row = await lock(tx, actor, id)
        if (row.state === 'alarm') {
          await insertMoment(tx.client, { event: id, at: clock.now(), what: 'seen', by: actor.id })
        }
      })
      return show(actor, id)
    },

    acknowledge: (actor, id) =>
      change(actor, id, 'acknowledge', async ({ tx, row, at }) => {
        if (row.acknowledged_by === actor.id) return null
        if (row.state !== 'alarm' || row.acknowledged_by !== null) throw new Refusal('conflict')
        await tx.client.query(
          'update safety_events set acknowledged_at = $2, acknowledged_by = $3 where id = $1',
          [id, at, actor.id],
        )
        await insertMoment(tx.client, { event: id, at, what: 'acknowledged', by: actor.id })
        await closeAlerts(deps, tx, row)
        return { alarm: row.kind }
      }),

    addNote: (actor, id, note) =>
      change(actor, id, 'note', async ({ tx, row, at }) => {
        await insertMoment(tx.client, { event: id, at, what: 'note', by: actor.id, note })
        return { alarm: row.kind }
      }),

    resolve: (actor, id, note) =>
      change(actor, id, 'resolve', async ({ tx, row, trip, at }) => {
        if (row.state !== 'alarm' || row.acknowledged_by === null) throw new Refusal('conflict')
        await tx.client.query(
          `update safety_events set state = 'closed', closed_at = $2, closed_by = $3, closing = 'admin' where id = $1`,
          [id, at, actor.id],
        )
        await insertMoment(tx.client, { event: id, at, what: 'closed', by: actor.id, note })
        await closeAlerts(deps, tx, row)
        // Locked, so that an account that is deleted meanwhile is erased after this commit.
        const people = await deps.users.lock(tx, [row.driver, ...(trip ? [trip.customer] : [])])
        if ([...people.values()].some(({ deleted_at }) => deleted_at !== null)) await eraseEvent(tx, id)
        return { alarm: row.kind }
      }),
  }
}
