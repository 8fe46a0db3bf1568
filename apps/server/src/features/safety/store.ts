import type {
  SafetyAnswer,
  SafetyClosing,
  SafetyKind,
  SafetyMoment,
  SafetyState,
} from '@hansom/domain/safety/event'
import type { Pool, PoolClient } from 'pg'

type Client = Pool | PoolClient

/** A row of `safety_events`. */
export interface EventRow {
  id: string
  booking_id: string
  kind: SafetyKind
  driver: string
  fleetadmin: string | null
  state: SafetyState
  opened_at: number
  rider_answer: SafetyAnswer | null
  driver_answer: SafetyAnswer | null
  alarm_at: number | null
  raised_by: string | null
  lat: number | null
  lng: number | null
  point_at: number | null
  acknowledged_at: number | null
  acknowledged_by: string | null
  closed_at: number | null
  closing: SafetyClosing | null
}

/** A position with its time, epoch ms. */
export interface TimedPoint {
  lat: number
  lng: number
  at: number
}

/** Where an event was noticed, or a call for help came from. */
export const pointOf = ({ lat, lng, point_at: at }: Pick<EventRow, 'lat' | 'lng' | 'point_at'>) =>
  lat === null || lng === null || at === null ? null : { lat, lng, at }

type NewEvent = Pick<EventRow, 'id' | 'booking_id' | 'kind' | 'driver' | 'fleetadmin' | 'raised_by'> & {
  at: number
  answer_by: number | null
  point: TimedPoint | null
}

/** Opens a question, or for the panic button an alarm. Fails if the booking has an open event of the kind about the driver. */
export async function insertEvent(client: PoolClient, event: NewEvent): Promise<void> {
  const { id, booking_id, kind, driver, fleetadmin, raised_by, at, answer_by, point } = event
  const isPanic = kind === 'panic'
  await client.query(
    `insert into safety_events (id, booking_id, kind, driver, fleetadmin, state, opened_at, answer_by, alarm_at, raised_by,
        lat, lng, point_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      booking_id,
      kind,
      driver,
      fleetadmin,
      isPanic ? 'alarm' : 'asked',
      at,
      answer_by,
      isPanic ? at : null,
      raised_by,
      point?.lat ?? null,
      point?.lng ?? null,
      point?.at ?? null,
    ],
  )
}

interface NewMoment {
  event: string
  at: number
  what: SafetyMoment
  by: string | null
  note?: string
  point?: TimedPoint | null
}

/** Adds to an event's timeline. A user sees an alarm once. */
export async function insertMoment(client: Client, moment: NewMoment): Promise<void> {
  const { event, at, what, by, note, point } = moment
  await client.query(
    `insert into safety_moments (event_id, at, what, by_user, note, lat, lng) values ($1, $2, $3, $4, $5, $6, $7)
      on conflict do nothing`,
    [event, at, what, by, note ?? null, point?.lat ?? null, point?.lng ?? null],
  )
}

/** An event, locked until the transaction ends; null for an unknown one. */
export async function lockEvent(client: PoolClient, id: string): Promise<EventRow | null> {
  const { rows } = await client.query<EventRow>('select * from safety_events where id = $1 for update', [id])
  return rows[0] ?? null
}

/** The open panic alarm about a driver of a booking, locked. */
export async function lockPanic(
  client: PoolClient,
  booking: string,
  driver: string,
): Promise<EventRow | null> {
  const { rows } = await client.query<EventRow>(
    `select * from safety_events
      where booking_id = $1 and driver = $2 and kind = 'panic' and state <> 'closed' for update`,
    [booking, driver],
  )
  return rows[0] ?? null
}

/** How often the button of an alarm was pressed again, and when this user did anything about it last, epoch ms. */
export async function readRepeats(
  client: PoolClient,
  event: string,
  by: string,
): Promise<{ repeats: number; last: number | null }> {
  const { rows } = await client.query<{ repeats: number; last: number | null }>(
    `select count(*) filter (where what = 'repeated')::int as repeats, max(at) filter (where by_user = $2) as last
      from safety_moments where event_id = $1`,
    [event, by],
  )
  return rows[0] ?? { repeats: 0, last: null }
}

/** A booking's open events, newest first, and then the alarms that an admin closed; with the ids of those who called for help. */
export async function readShownEvents(
  client: Client,
  booking: string,
): Promise<(EventRow & { raisers: string[] })[]> {
  const { rows } = await client.query<EventRow & { raisers: string[] }>({
    name: 'safety-shown-events',
    text: `select e.*, array(select distinct m.by_user from safety_moments m where m.event_id = e.id
          and m.what in ('raised', 'repeated', 'help')) as raisers
      from safety_events e where e.booking_id = $1 and (e.state <> 'closed' or e.closing = 'admin')
      order by e.closed_at desc nulls first, e.opened_at desc, e.id desc`,
    values: [booking],
  })
  return rows
}

/** The approved admins, and the fleet admin if there is one. */
export async function readAlerted(client: PoolClient, fleetadmin: string | null): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from user_roles where approved and (usertype = 'admin' or (usertype = 'fleetadmin' and id = $1))`,
    [fleetadmin],
  )
  return rows.map(({ id }) => id)
}

/** The most questions that one step of the scan turns into alarms. */
const maxDue = 100

/** Locks and returns questions that no one answered in time. Those locked by others are left to the next scan. */
export async function lockDue(client: PoolClient, now: number): Promise<EventRow[]> {
  const { rows } = await client.query<EventRow>(
    `select e.* from safety_events e where e.state = 'asked' and e.answer_by <= $1
      order by e.answer_by limit ${maxDue} for update skip locked`,
    [now],
  )
  return rows
}

/** Turns a question into an alarm, also one that was closed. */
export async function makeAlarm(client: PoolClient, id: string, now: number): Promise<void> {
  await client.query(
    `update safety_events set state = 'alarm', alarm_at = $2, closed_at = null, closed_by = null, closing = null where id = $1`,
    [id, now],
  )
}

/** Closes questions of bookings; returns them. */
export async function closeQuestions(
  client: PoolClient,
  bookings: readonly string[],
  { closing, kind, now }: { closing: SafetyClosing; kind: SafetyKind | null; now: number },
): Promise<EventRow[]> {
  const { rows } = await client.query<EventRow>(
    `with closed as (
        update safety_events set state = 'closed', closed_at = $2, closing = $3
          where booking_id = any($1::uuid[]) and state = 'asked' and ($4::text is null or kind = $4) returning *),
      noted as (insert into safety_moments (event_id, at, what) select id, $2, 'closed' from closed)
      select * from closed`,
    [bookings, now, closing, kind],
  )
  return rows
}

/** When the open questions about silence were asked, by booking. */
export async function readSilent(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ booking_id: string; opened_at: number }>(
    `select booking_id, opened_at from safety_events where state = 'asked' and kind = 'silence'`,
  )
  return new Map(rows.map(({ booking_id, opened_at }) => [booking_id, opened_at]))
}

/**
 * Which of these trips were asked about a kind since a time, or have an open event: `booking kind`, or `booking`. Events about
 * a driver whom the booking has lost don't count.
 */
export async function readAsked(
  client: Client,
  trips: readonly { booking: string; driver: string }[],
  since: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select case when state = 'closed' then booking_id || ' ' || kind else booking_id::text end as key
      from safety_events where (booking_id, driver) in (select * from unnest($1::uuid[], $2::uuid[]))
        and (state <> 'closed' or opened_at > $3)`,
    [trips.map(({ booking }) => booking), trips.map(({ driver }) => driver), since],
  )
  return new Set(rows.map(({ key }) => key))
}
