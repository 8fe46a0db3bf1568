import type { AlertCount } from '@hansom/contract/alerts'
import type { Actor } from '@hansom/domain/access/relation'
import {
  type AlertKind,
  alertDayMs,
  alertKinds,
  alertKindsOf,
  maxAlertCount,
} from '@hansom/domain/alerts/alerts'
import type { Pool, PoolClient } from 'pg'

/** A matter that no view has: the tables of failed work and of message counts belong to the platform. `at` is epoch ms. */
export interface OtherMatter {
  kind: 'failed_work' | 'message_limit'
  subject: string
  at: number
  /** Of the failed work; of messages their channel, and whether one was held back. */
  name: string
}

/** An open matter that a recipient has not been notified of. */
export interface NewAlert {
  kind: AlertKind
  /** Identifies the matter: one that begins again has another subject. */
  subject: string
  recipient: string
  /** Whose driver or trip it is about. */
  fleetadmin: string | null
  booking: string | null
  /** The code of the booking or top-up. */
  code: string | null
  /** The name of another matter, or of the user it is about, and the user's id. */
  name: string | null
  person: string | null
  amount: number | null
}

/** Open matters by kind and fleet; a fleet of null: those of no fleet. */
export interface OpenCount {
  kind: AlertKind
  fleetadmin: string | null
  count: number
}

/** The most alerts that one scan stores; the next one continues. */
const maxNewAlerts = 1_000
/** The most matters of a kind that are announced, newest first. */
const maxAnnounced = 100

const otherMatters = (kind: OtherMatter['kind']) => `
    select subject, at, null::uuid, null::uuid, null, name, null::uuid, null::int8
      from jsonb_to_recordset($2::jsonb) as other(kind text, subject text, at int8, name text)
      where kind = '${kind}' limit ${maxAlertCount}`

/**
 * The open matters of each kind, at most `maxAlertCount`, newest first: only open ones are read, from partial indexes. $1 is
 * the time a day ago, $2 the other matters as JSON. `own` is a condition on the fleet.
 */
const openMatters: Record<AlertKind, (own: string) => string> = {
  safety: (own) => `
    select a.id::text as subject, a.at, a.fleetadmin, a.booking, b.code, null as name, null::uuid as person,
        null::int8 as amount
      from open_safety_alarms a join booking_money b on b.id = a.booking
      where ${own} order by a.at desc limit ${maxAlertCount}`,
  driver_waiting: (own) => `
    select id || ':' || since as subject, since as at, fleetadmin, null::uuid as booking, null as code, name, id as person,
        null::int8 as amount
      from waiting_drivers where ${own} order by since desc, id desc nulls last limit ${maxAlertCount}`,
  withdrawal: () => `
    select id::text, date, null::uuid, null::uuid, null, name, uid, amount
      from undecided_withdrawals w order by w.date desc nulls last, w.id desc nulls last limit ${maxAlertCount}`,
  no_driver: () => `
    select c.id::text, c.closed_at, null::uuid, c.id, c.code, null, null::uuid, null::int8
      from system_cancellations c join booking_operations o on o.booking = c.id and o.outcome = 'no_driver'
      where c.closed_at > $1::int8 and not c.is_replaced
      order by c.closed_at desc nulls last limit ${maxAlertCount}`,
  payment: () => `
    (select id || ':' || state, coalesce(mismatch_at, created_at), null::uuid, booking, code, null, null::uuid, amount
      from payment_records p where p.state = 'mismatch'
      order by p.created_at desc nulls last, p.id desc nulls last limit ${maxAlertCount})
    union all
    (select p.id || ':' || p.state, p.created_at, null::uuid, p.booking, p.code, null, null::uuid, p.amount
      from payment_records p join booking_money b on b.id = p.booking and b.status in ('PAYMENT_PENDING', 'PENDING')
      where p.state = 'failed' and p.failure is distinct from 'refunded' and p.created_at > $1::int8
        and not exists (select from payment_records later where later.booking = p.booking and later.number > p.number)
      order by p.created_at desc nulls last, p.id desc nulls last limit ${maxAlertCount})`,
  refund: () => `
    select id::text, coalesce(review_at, at), null::uuid, booking, code, null, null::uuid, amount
      from refund_records r where r.state = 'by_hand'
      order by r.at desc nulls last, r.id desc nulls last limit ${maxAlertCount}`,
  objection: (own) => `
    select id::text, coalesce(since, tripdate), fleetadmin, id, code, null, null::uuid, null::int8
      from open_objections where ${own} order by tripdate desc limit ${maxAlertCount}`,
  unproven_stop: (own) => `
    select u.booking || ':' || u.n, u.at, b.fleetadmin, u.booking, b.booking_id, null, null::uuid, null::int8
      from (select booking, max(n) as n, max(at) as at from unproven_stops where at > $1::int8 group by booking) u
        join trip_figures b on b.id = u.booking where ${own} order by u.at desc limit ${maxAlertCount}`,
  chat_report: () => `
    select r.id::text, r.at, null::uuid, r.booking, b.booking_id, null, null::uuid, null::int8
      from open_chat_reports r join trip_figures b on b.id = r.booking order by r.at desc nulls last limit ${maxAlertCount}`,
  message_limit: () => otherMatters('message_limit'),
  failed_work: () => otherMatters('failed_work'),
}

/** The open matters of some kinds, as a select. */
const openOf = (kinds: readonly AlertKind[], own: string) =>
  kinds
    .map(
      (kind) => `select '${kind}' as kind, m.* from (${openMatters[kind](own)})
        m(subject, at, fleetadmin, booking, code, name, person, amount)`,
    )
    .join(' union all ')

export interface Looked {
  /** Epoch ms. */
  now: number
  others: readonly OtherMatter[]
}

/** The number of open matters that an actor may settle, by kind; kinds without any are left out. */
export async function countAlerts(pool: Pool, actor: Actor, { now, others }: Looked): Promise<AlertCount[]> {
  const kinds = alertKindsOf(actor.role)
  if (kinds.length === 0) return []
  const isAdmin = actor.role === 'admin'
  const { rows } = await pool.query<AlertCount>({
    name: `alerts-count-${isAdmin ? 'admin' : 'fleet'}`,
    // Names every parameter, whichever kinds are counted.
    text: `select kind, least(count(*), ${maxAlertCount})::int as count
      from (${openOf(kinds, isAdmin ? 'true' : 'fleetadmin = $3')}) open
      where num_nulls($1::int8, $2::jsonb, $3::uuid) = 0 group by kind`,
    values: [now - alertDayMs, JSON.stringify(others), actor.id],
  })
  const countOf = new Map(rows.map(({ kind, count }) => [kind, count]))
  return kinds.flatMap((kind) => ({ kind, count: countOf.get(kind) ?? 0 })).filter(({ count }) => count > 0)
}

interface Scanned {
  counts: OpenCount[]
  missing: NewAlert[]
  settled: string[]
}

/**
 * Reads the open matters: their number, and those of the last day that a recipient has not been notified of; and the ids of
 * unread alerts whose matter is not open any more. They end with an occasion's recipient, a UUID after a colon. Of a kind with more
 * open matters than are read, none counts as settled.
 */
export async function readAlerts(client: PoolClient, { now, others }: Looked): Promise<Scanned> {
  const { rows } = await client.query<Scanned>({
    name: 'alerts-scan',
    text: `with open as materialized (${openOf(alertKinds, 'true')}),
      counts as (select kind, fleetadmin, count(*)::int as count from open group by kind, fleetadmin),
      newest as (
        select *, row_number() over (partition by kind order by at desc, subject) as place from open where at > $1::int8),
      recipients as materialized (
        select id, usertype from user_roles where usertype in ('admin', 'fleetadmin') and approved),
      missing as (
        select n.*, r.id as recipient from newest n
          join recipients r on r.usertype = 'admin' or r.id = n.fleetadmin
          where place <= ${maxAnnounced} and not exists (select from stored_notifications s
            where s.dedupe = 'alert:' || n.kind || ':' || n.subject || ':' || r.id)
          order by n.at, n.subject limit ${maxNewAlerts}),
      settled as (
        select id from unread_alerts a
          where not exists (select from open o where 'alert:' || o.kind || ':' || o.subject = left(a.dedupe, -37))
            and split_part(a.dedupe, ':', 2) not in (
              select kind from counts group by kind having sum(count) >= ${maxAlertCount})
          limit ${maxNewAlerts})
      select (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from counts c) as counts,
        (select coalesce(jsonb_agg(to_jsonb(m) order by m.at, m.subject), '[]') from missing m) as missing,
        array(select id from settled) as settled`,
    values: [now - alertDayMs, JSON.stringify(others)],
  })
  return rows[0] ?? { counts: [], missing: [], settled: [] }
}

/** The occasion of an alert, stored once for each recipient. */
export const occasionOf = ({ kind, subject, recipient }: NewAlert) => `alert:${kind}:${subject}:${recipient}`

/** One scan at a time, so that the ids of alerts have the order of their commits. False while another one runs. */
export async function lockScan(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [
    scanLock,
  ])
  return rows[0]?.got ?? false
}

/** Differs from the keys of other locks in this database. */
const scanLock = 0x616c_6572
