import type { DeviceKind } from '@hansom/domain/devices/device'
import type { NotificationKind } from '@hansom/domain/notifications/kinds'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import type { Role } from '@hansom/domain/users/roles'
import type { Pool } from 'pg'
import type { Transaction } from '../../platform/database/transaction.ts'

/** A notification as it waits to be sent; its texts are chosen when it is sent. */
export interface QueuedNotification {
  kind: NotificationKind | 'test'
  /** Id in the user's list; null: not listed. */
  id: string | null
  /** Epoch ms of the application's clock, as `expiresAt`. */
  at: number
  /** Text keys with their parameters. */
  title: string
  msg: string
  params: Readonly<Record<string, string>>
  screen: string
  booking: string | null
  /** When a request expires; null for others. */
  expiresAt: number | null
}

/** A notification to be sent to a user's devices, or to one of them. */
export interface NewPush {
  user: string
  device?: string | undefined
  /** Only devices of these platforms; all when omitted. */
  platforms?: readonly PushPlatform[] | undefined
  tag: string
  urgent: boolean
  /** Real time. */
  ttlMs: number
  origin?: string | undefined
  content: QueuedNotification
}

type Client = Pick<Transaction, 'client'>

/** SQL: epoch ms of the database's clock. */
const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/**
 * Adds a row for each device that does not mute the kind; returns their number. A message with the same tag that waits or is
 * given before is replaced; one that is not listed takes the id of the listed one, with which it is closed. The devices are locked, so that one removed meanwhile does not fail the transaction.
 */
export async function queuePushes({ client }: Client, pushes: readonly NewPush[]): Promise<number> {
  if (pushes.length === 0) return 0
  const newest = new Map(pushes.map((push) => [`${push.user} ${push.device ?? ''} ${push.tag}`, push]))
  const reply = await client.query({
    name: 'push-queue',
    text: `with fresh as materialized (
        select d.id as device_id, q.tag, q.content, q.urgent, q."ttlMs" as ttl, q.origin
          from jsonb_to_recordset($1::jsonb) as q("user" uuid, device uuid, platforms text[], tag text, urgent boolean,
              "ttlMs" bigint, origin uuid, content jsonb)
            join push_devices d on d.user_id = q."user" and (q.device is null or d.id = q.device)
              and (q.platforms is null or d.platform = any(q.platforms))
          where not exists (select from push_preferences p
            where p.user_id = q."user" and q.content ->> 'kind' = any(p.muted))
          for key share of d),
      replaced as (delete from push_deliveries p using fresh f where p.device_id = f.device_id and p.tag = f.tag
        returning p.device_id, p.tag, p.content -> 'id' as id),
      known as (select device_id, tag, id from replaced where id <> 'null'
        union all select s.device_id, s.tag, to_jsonb(s.notification_id) from push_shown s join fresh using (device_id, tag)
          where s.notification_id is not null)
      insert into push_deliveries (id, device_id, tag, content, urgent, expires_at, not_before, origin)
      select gen_random_uuid(), device_id, tag,
        case when content -> 'id' <> 'null' then content
          else content || jsonb_build_object('id', (select k.id from known k
            where k.device_id = f.device_id and k.tag = f.tag limit 1)) end,
        urgent, ${nowMs} + ttl, ${nowMs}, origin from fresh f`,
    values: [JSON.stringify([...newest.values()])],
  })
  return reply.rowCount ?? 0
}

/** Notifications to close on a user's devices: with a tag, or by their ids. */
export interface Handled {
  user: string
  tags?: readonly string[]
  ids?: readonly string[]
  /** The session that handled them closes its own. */
  session?: string | null
}

/** How long a device that is offline may learn that a notification was handled, ms. */
const closeTtlMs = 24 * 3_600_000

/**
 * Withdraws messages that wait, and queues closing messages to the devices that show the notifications. Returns the
 * number of these. A message that is being sent becomes a closing message. Messages are locked before it is decided whether
 * they are being sent; the statements are in this order, so that the second one sees what a concurrent sender has stored.
 */
export async function closePushes({ client }: Client, handled: readonly Handled[]): Promise<number> {
  if (handled.length === 0) return 0
  const rows = handled.map(({ user, tags = [], ids = [], session = null }) => ({ user, tags, ids, session }))
  const values = [JSON.stringify(rows)]
  const given = `jsonb_to_recordset($1::jsonb) as q("user" uuid, tags text[], ids uuid[], session uuid)`
  const turned = await client.query({
    name: 'push-withdraw',
    text: `with found as materialized (
        select p.id, d.closable and p.tries > 0 and (q.session is null or d.session_id is distinct from q.session)
            as is_sent
          from ${given} join push_devices d on d.user_id = q."user" join push_deliveries p on p.device_id = d.id
          where p.content is not null and (p.tag = any(q.tags) or (p.content ->> 'id')::uuid = any(q.ids))
          for update of p),
      withdrawn as (delete from push_deliveries p using found f where p.id = f.id and not f.is_sent)
      update push_deliveries p set content = null, urgent = false, expires_at = ${nowMs} + ${closeTtlMs}
        from found f where p.id = f.id and f.is_sent`,
    values,
  })
  const closed = await client.query({
    name: 'push-close',
    text: `with shown as (
        delete from push_shown s using ${given}, push_devices d
          where d.user_id = q."user" and s.device_id = d.id
            and (s.tag = any(q.tags) or s.notification_id = any(q.ids))
          returning s.device_id, s.tag, s.expires_at,
            q.session is not null and d.session_id is not distinct from q.session as is_here)
      insert into push_deliveries (id, device_id, tag, urgent, expires_at, not_before)
      select gen_random_uuid(), d.id, shown.tag, false, ${nowMs} + ${closeTtlMs}, ${nowMs}
        from shown join push_devices d on d.id = shown.device_id
        where not shown.is_here and shown.expires_at > ${nowMs} for key share of d`,
    values,
  })
  return (turned.rowCount ?? 0) + (closed.rowCount ?? 0)
}

/** A message taken by this server until its lease ends. */
export interface ClaimedPush {
  id: string
  device: string
  tag: string
  content: QueuedNotification | null
  urgent: boolean
  /** Time until it expires, ms; it may be over. */
  ttlMs: number
  /** The attempts, with this one. */
  tries: number
  kind: DeviceKind
  token: string
  p256dh: string | null
  auth: string | null
  platform: PushPlatform | null
  closable: boolean
  origin: string | null
  role: Role
  /** The device's language, else its user's. */
  locales: string[]
}

/** Takes due messages, at most the given numbers of urgent and of other ones, until `leaseMs` is over. */
export async function claimPushes(
  pool: Pool,
  { urgent, others, leaseMs }: { urgent: number; others: number; leaseMs: number },
): Promise<ClaimedPush[]> {
  // The statement's own time: a volatile one could not be looked up in the index.
  const now = '(extract(epoch from now()) * 1000)::bigint'
  const due = (isUrgent: boolean, limit: string) => `select id from push_deliveries
    where urgent = ${isUrgent} and not_before <= ${now} order by not_before limit ${limit} for update skip locked`
  const reply = await pool.query<ClaimedPush>({
    name: 'push-claim',
    // A lost claim does no harm, so the message does not wait until it is on disk.
    text: `with fast as materialized (select set_config('synchronous_commit', 'off', true)),
        urgent as materialized (${due(true, '$1')}), others as materialized (${due(false, '$2')})
      update push_deliveries p set not_before = ${now} + $3, tries = p.tries + 1
        from fast, push_devices d join notification_readers u on u.id = d.user_id
        where p.id in (select id from urgent union all select id from others) and d.id = p.device_id
        returning p.id, d.id as device, p.tag, p.content, p.urgent, p.expires_at - ${now} as "ttlMs", p.tries, p.origin,
          d.kind, d.token, d.p256dh, d.auth, d.platform, d.closable, u.usertype as role,
          array_remove(array[d.locale, u.locale], null) as locales`,
    values: [urgent, others, leaseMs],
  })
  return reply.rows
}
