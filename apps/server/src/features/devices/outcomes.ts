import type { Transaction } from '../../platform/database/transaction.ts'
import type { ClaimedPush } from './queue.ts'

/** What became of a claimed message. */
export type Outcome =
  | { push: ClaimedPush; result: 'accepted' }
  /** Expired or refused. */
  | { push: ClaimedPush; result: 'dropped' }
  /** Its device is removed. */
  | { push: ClaimedPush; result: 'unregistered' }
  | { push: ClaimedPush; result: 'retry'; afterMs: number }

/** An admin's send that reached none of a user's devices. */
export interface Unreached {
  origin: string
  user: string
}

/** How long a shown notification can be closed, ms. */
const shownMs = 3 * 24 * 3_600_000

const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/**
 * Stores the outcomes of messages. One that became a closing message while it was sent stays, and is due at once. Returns
 * the users whom an admin's send reached on none of their devices, and whether such a message is due.
 */
export async function storeOutcomes(
  { client }: Pick<Transaction, 'client'>,
  outcomes: readonly Outcome[],
): Promise<{ unreached: Unreached[]; isMoreDue: boolean }> {
  const of = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result)
  const unreached: Unreached[] = []
  let isMoreDue = false

  const accepted = of('accepted')
  if (accepted.length > 0) {
    const rows = accepted.map(({ push }) => ({
      id: push.id,
      isClosing: push.content === null,
      isShown: push.content !== null && push.closable,
      notification: push.content?.id ?? null,
    }))
    const removed = await client.query<{ count: number }>({
      name: 'push-accepted',
      text: `with done as materialized (select * from jsonb_to_recordset($1::jsonb)
            as q(id uuid, "isClosing" boolean, "isShown" boolean, notification uuid)),
          removed as (delete from push_deliveries p using done
            where p.id = done.id and (p.content is null) = done."isClosing"
            returning p.device_id, p.tag, done."isShown", done.notification),
          shown as (select r.* from removed r join push_devices d on d.id = r.device_id where r."isShown"
            for key share of d),
          noted as (insert into push_shown (device_id, tag, notification_id, expires_at)
            select distinct on (device_id, tag) device_id, tag, notification, ${nowMs} + ${shownMs} from shown
            order by device_id, tag, notification desc nulls last
            on conflict (device_id, tag) do update
              set notification_id = excluded.notification_id, expires_at = excluded.expires_at)
        select count(*)::int as count from removed`,
      values: [JSON.stringify(rows)],
    })
    // Those that are left became closing messages, or were withdrawn.
    if (removed.rows[0]?.count !== accepted.length) {
      const turned = await client.query({
        name: 'push-turned',
        // A statement of its own: it sees what a concurrent transaction turned while the first one waited for it.
        text: `update push_deliveries set not_before = 0, tries = 0 where id = any($1) and content is null`,
        values: [accepted.flatMap(({ push }) => (push.content === null ? [] : [push.id]))],
      })
      isMoreDue = (turned.rowCount ?? 0) > 0
    }
    await markReached(client, accepted)
  }

  const retried = outcomes.filter((outcome) => outcome.result === 'retry')
  if (retried.length > 0) {
    await client.query({
      name: 'push-retry',
      text: `update push_deliveries p set not_before = ${nowMs} + q.after
        from jsonb_to_recordset($1::jsonb) as q(id uuid, after bigint) where p.id = q.id`,
      values: [
        JSON.stringify(retried.map(({ push, afterMs }) => ({ id: push.id, after: Math.round(afterMs) }))),
      ],
    })
  }

  const dropped = of('dropped').map(({ push }) => push.id)
  const gone = of('unregistered').map(({ push }) => push.device)
  if (dropped.length + gone.length > 0) {
    const reply = await client.query<Unreached & { reached: boolean }>({
      name: 'push-dropped',
      text: `delete from push_deliveries p using push_devices d
        where d.id = p.device_id and (p.device_id = any($2) or p.id = any($1))
        returning p.origin, d.user_id as user, p.reached`,
      values: [dropped, gone],
    })
    await client.query({
      name: 'push-remove-devices',
      text: 'delete from push_devices where id = any($1)',
      values: [gone],
    })
    const missed = reply.rows.filter(({ origin, reached }) => origin !== null && !reached)
    if (missed.length > 0) unreached.push(...(await withoutOther(client, missed)))
  }
  return { unreached, isMoreDue }
}

/** Marks the messages that the other devices of reached users still wait for. */
async function markReached(client: Transaction['client'], accepted: readonly Outcome[]): Promise<void> {
  const rows = accepted.flatMap(({ push }) =>
    push.origin === null ? [] : [{ origin: push.origin, device: push.device }],
  )
  if (rows.length === 0) return
  await client.query(
    `update push_deliveries p set reached = true
      from jsonb_to_recordset($1::jsonb) as q(origin uuid, device uuid), push_devices mine, push_devices other
      where mine.id = q.device and other.user_id = mine.user_id and p.device_id = other.id and p.origin = q.origin`,
    [JSON.stringify(rows)],
  )
}

/** Those for whom no other device waits for the same send. */
async function withoutOther(
  client: Transaction['client'],
  missed: readonly Unreached[],
): Promise<Unreached[]> {
  const once = [...new Map(missed.map((one) => [`${one.origin} ${one.user}`, one])).values()]
  const reply = await client.query<Unreached>(
    `select q.origin, q."user" from jsonb_to_recordset($1::jsonb) as q(origin uuid, "user" uuid)
      where not exists (select from push_deliveries p join push_devices d on d.id = p.device_id
        where p.origin = q.origin and d.user_id = q."user")`,
    [JSON.stringify(once)],
  )
  return reply.rows
}
