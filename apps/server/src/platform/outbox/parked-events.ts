import type { Pool, PoolClient } from 'pg'

/** An event that has been failing for this time is parked. */
export const parkAfterMs = 60 * 60_000

/** Parks an event: removes it from the outbox, so its stream continues without it. */
export async function parkEvent(client: Pool | PoolClient, id: number, error: string): Promise<void> {
  await client.query(
    `with parked as (delete from outbox where id = $1 returning *)
      insert into parked_events (id, at, stream, kind, payload, error, failing_since)
      select id, at, stream, kind, payload, $2, coalesce(failing_since, at) from parked`,
    [id, error],
  )
}

/** Publishes the parked events of a kind again that began to fail until `until`, ms. Returns their number. */
export async function releaseEvents(client: PoolClient, kind: string, until: number): Promise<number> {
  const moved = await client.query(
    `with released as (delete from parked_events where kind = $1 and failing_since <= $2 returning *)
      insert into outbox (at, stream, kind, payload)
      select at, stream, kind, payload from released order by id`,
    [kind, until],
  )
  return moved.rowCount ?? 0
}

/** Like releaseEvents, but deletes the events. */
export async function discardEvents(client: PoolClient, kind: string, until: number): Promise<number> {
  const deleted = await client.query('delete from parked_events where kind = $1 and failing_since <= $2', [
    kind,
    until,
  ])
  return deleted.rowCount ?? 0
}
