import type { SafetyAlarm } from '@hansom/contract/safety'
import { maskContact } from '@hansom/domain/access/mask-contacts'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { fullName } from '@hansom/domain/users/full-name'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SafetyDeps } from './deps.ts'
import { announce } from './raise-alarm.ts'
import {
  type EventRow,
  insertMoment,
  lockEvent,
  readAlarm,
  readAlarms,
  readMoments,
  type StoredAlarm,
  type StoredMoment,
} from './store.ts'

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
  const { database, clock, bookings } = deps

  /** A person of an open alarm, for admins: they must be reachable, also when the booking has ended. */
  const personOf = async (actor: Actor, { state }: StoredAlarm, id: string | null) => {
    if (state !== 'alarm' || actor.role !== 'admin' || id === null) return null
    const user = await deps.users.find(id)
    if (user === null) return null
    const hides = !(await deps.settings.current()).AllowCriticalEditsAdmin
    return {
      name: fullName(user),
      phone: user.mobile && maskContact(user.mobile, user.usertype, hides),
      plate: user.vehicleNumber,
    }
  }

  /** With contacts as the actor sees them. Null for a booking that the actor cannot see any more. */
  const view = async (actor: Actor, alarm: StoredAlarm, moments: readonly StoredMoment[]) => {
    const record = await bookings.read(alarm.booking_id)
    if (record === null) return null
    const seen = await bookings.view(actor, record).catch((error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    })
    if (seen === null) return null
    // The booking may have ended, which hides contacts, or have another driver by now.
    const [rider, driver] = await Promise.all([
      personOf(actor, alarm, seen.customer),
      personOf(actor, alarm, alarm.driver),
    ])
    const isDriver = record.booking.driver === alarm.driver
    return {
      id: alarm.id,
      kind: alarm.kind,
      state: alarm.state,
      closing: alarm.closing,
      at: alarm.alarm_at ?? alarm.opened_at,
      booking: alarm.booking_id,
      booking_id: seen.booking_id,
      status: seen.status,
      pickup: seen.pickup.add,
      drop: seen.drop.add,
      rider: {
        id: seen.customer,
        name: seen.customer_name ?? '',
        phone: seen.customer_contact ?? rider?.phone ?? null,
      },
      driver: {
        id: alarm.driver,
        name: (isDriver && seen.driver_name) || driver?.name || '',
        phone: (isDriver ? seen.driver_contact : null) ?? driver?.phone ?? null,
        plate: (isDriver ? seen.vehicle_number : null) ?? driver?.plate ?? null,
      },
      point: pointOf(alarm, alarm.point_at),
      acknowledged:
        alarm.acknowledged_at === null ? null : { at: alarm.acknowledged_at, name: alarm.acknowledged_name },
      timeline: moments
        .filter(({ event_id }) => event_id === alarm.id)
        .map(({ at, what, name, note, lat, lng }) => ({
          at,
          what,
          name,
          note,
          point: lat === null || lng === null ? null : { lat, lng },
        })),
    } satisfies SafetyAlarm
  }

  const show = async (actor: Actor, id: string): Promise<SafetyAlarm> => {
    const alarm = await readAlarm(database.pool, id)
    const shown = alarm && (await view(actor, alarm, await readMoments(database.pool, [id])))
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
    apply: (tx: Transaction, row: EventRow, at: number) => Promise<Record<string, string> | null>,
  ) => {
    await database.withTransaction(async (tx) => {
      const row = await lock(tx, actor, id)
      const at = clock.now()
      const after = await apply(tx, row, at)
      if (after === null) return
      const record = await bookings.read(row.booking_id)
      await writeAudit(tx, {
        by: actor.id,
        at,
        action: `safety.${action}`,
        kind: 'safety',
        subject: id,
        label: record?.booking.booking_id ?? id,
        before: null,
        after,
      })
      await announce(deps, tx, [row], true)
    })
    return show(actor, id)
  }

  return {
    async list(actor, state) {
      const alarms = await readAlarms(database.pool, state, actor.role === 'admin' ? null : actor.id)
      const moments = await readMoments(
        database.pool,
        alarms.map(({ id }) => id),
      )
      const shown: SafetyAlarm[] = []
      for (const alarm of alarms) {
        const one = await view(actor, alarm, moments)
        if (one) shown.push(one)
      }
      return shown
    },

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
      change(actor, id, 'acknowledge', async (tx, row, at) => {
        if (row.acknowledged_by === actor.id) return null
        if (row.state !== 'alarm' || row.acknowledged_by !== null) throw new Refusal('conflict')
        await tx.client.query(
          'update safety_events set acknowledged_at = $2, acknowledged_by = $3 where id = $1',
          [id, at, actor.id],
        )
        await insertMoment(tx.client, { event: id, at, what: 'acknowledged', by: actor.id })
        return { alarm: row.kind }
      }),

    addNote: (actor, id, note) =>
      change(actor, id, 'note', async (tx, _row, at) => {
        await insertMoment(tx.client, { event: id, at, what: 'note', by: actor.id, note })
        return { note }
      }),

    resolve: (actor, id, note) =>
      change(actor, id, 'resolve', async (tx, row, at) => {
        if (row.state !== 'alarm' || row.acknowledged_by === null) throw new Refusal('conflict')
        await tx.client.query(
          `update safety_events set state = 'closed', closed_at = $2, closed_by = $3, closing = 'admin' where id = $1`,
          [id, at, actor.id],
        )
        await insertMoment(tx.client, { event: id, at, what: 'closed', by: actor.id, note })
        return { note }
      }),
  }
}

const pointOf = ({ lat, lng }: Pick<EventRow, 'lat' | 'lng'>, at: number | null) =>
  lat === null || lng === null || at === null ? null : { lat, lng, at }
