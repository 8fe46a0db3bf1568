import type { Pool, PoolClient } from 'pg'
import type { OutboxEvent } from './event.ts'

/**
 * Claims at most `count` due events for the open transaction of `client`, oldest first. Only the oldest event of a
 * stream can be claimed, and the claim includes the later events of its stream, so two processes never deliver one
 * stream concurrently. If a process dies, its claim ends with its connection.
 */
export async function claimEvents(client: PoolClient, count: number): Promise<OutboxEvent[]> {
  const reply = await client.query<OutboxEvent>({
    name: 'outbox-claim',
    text: `with heads as materialized (
      select id, stream from outbox head
      where not_before <= (extract(epoch from clock_timestamp()) * 1000)::bigint
        and (stream is null or not exists (
          select from outbox earlier where earlier.stream = head.stream and earlier.id < head.id))
      order by id limit $1 for update skip locked)
    select id, at, stream, kind, payload, tries from outbox
      where id = any(array(
        select id from heads union select later.id from heads join outbox later on later.stream = heads.stream))
      order by id limit $1`,
    values: [count],
  })
  return reply.rows
}

/** Removes delivered events. */
export async function removeEvents(client: PoolClient, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await client.query({
    name: 'outbox-remove',
    text: 'delete from outbox where id = any($1::bigint[])',
    values: [ids],
  })
}

/** Postpones an event; the rest of its stream waits for it. Returns how long the event has been failing, ms. */
export async function postponeEvent(client: Pool | PoolClient, id: number, delayMs: number): Promise<number> {
  const reply = await client.query<{ failing: number }>(
    `update outbox set tries = tries + 1, not_before = moment.ms + $2,
        failing_since = coalesce(failing_since, moment.ms)
      from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms) moment
      where id = $1 returning moment.ms - failing_since as failing`,
    [id, Math.round(delayMs)],
  )
  return reply.rows[0]?.failing ?? 0
}
