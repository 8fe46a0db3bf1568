import type { Pool, PoolClient } from 'pg'

/** A failing event is tried for this time, and then parked. */
export const parkAfterMs = 60 * 60_000

/** Moves an event out of the outbox: its stream goes on without it. Returns whether it was there. */
export async function parkEvent(client: Pool | PoolClient, id: number, error: string): Promise<void> {
  await client.query(
    `with parked as (delete from outbox where id = $1 returning *)
      insert into parked_events (id, at, stream, kind, payload, error, failing_since)
      select id, at, stream, kind, payload, $2, coalesce(failing_since, at) from parked`,
    [id, error],
  )
}

/** Parked events of a kind that began to fail until `until`, ms: published again. Returns their number. */
export async function releaseEvents(client: PoolClient, kind: string, until: number): Promise<number> {
  const moved = await client.query(
    `with released as (delete from parked_events where kind = $1 and failing_since <= $2 returning *)
      insert into outbox (at, stream, kind, payload)
      select at, stream, kind, payload from released order by id`,
    [kind, until],
  )
  return moved.rowCount ?? 0
}

/** As releaseEvents, but they are forgotten. */
export async function discardEvents(client: PoolClient, kind: string, until: number): Promise<number> {
  const gone = await client.query('delete from parked_events where kind = $1 and failing_since <= $2', [
    kind,
    until,
  ])
  return gone.rowCount ?? 0
}
