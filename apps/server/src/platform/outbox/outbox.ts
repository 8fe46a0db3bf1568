import type { Pool, PoolClient } from 'pg'
import type { Database } from '../database/database.ts'
import { lacksMemory, lostConnection } from '../database/postgres-errors.ts'
import type { Transaction } from '../database/transaction.ts'
import { errorSummary, type Log } from '../log/log.ts'
import { storedOrigin, storeOrigin, withOrigin } from '../log/origin.ts'
import { metrics } from '../metrics/metrics.ts'
import { traced } from '../tracing/tracing.ts'
import { type BatchHandler, type EventHandler, eachInTurn, type NewEvent, type OutboxEvent } from './event.ts'
import { parkAfterMs, parkEvent } from './parked-events.ts'

/**
 * Claims at most `count` due events by deleting them in the open transaction of `client`, and returns them oldest first: its
 * commit removes them, its end without one brings them back. Only the oldest event of a stream can be claimed, and its claim
 * includes the rest of the stream, so two processes never deliver one stream concurrently. See decision 0353.
 */
export async function claimEvents(client: PoolClient, count: number): Promise<OutboxEvent[]> {
  const reply = await client.query<Omit<OutboxEvent, 'writtenAt'> & { age: number }>({
    name: 'outbox-claim',
    text: `with heads as materialized (
      select id, stream from outbox head
      where not_before <= (extract(epoch from clock_timestamp()) * 1000)::bigint
        and (stream is null or not exists (
          select from outbox earlier where earlier.stream = head.stream and earlier.id < head.id))
      order by id limit $1 for update skip locked),
    claimed as materialized (select id from outbox
      where id = any(array(
        select id from heads union select later.id from heads join outbox later on later.stream = heads.stream))
      order by id limit $1)
    delete from outbox using claimed where outbox.id = claimed.id
      returning outbox.id, at, stream, kind, payload, tries,
        (extract(epoch from clock_timestamp()) * 1000)::float8 - at as age`,
    values: [count],
  })
  const now = performance.now()
  return reply.rows
    .map(({ age, ...event }) => ({ ...event, writtenAt: now - age }))
    .sort((a, b) => a.id - b.id)
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

/**
 * Groups events of one kind for batch handlers. The events of a stream keep their order across kinds: an event joins the
 * newest slice of its kind, unless an event of its stream is in a later one.
 */
export function batchEvents(events: readonly OutboxEvent[]): OutboxEvent[][] {
  const slices: OutboxEvent[][] = []
  const newest = new Map<string, number>()
  const last = new Map<string | null, number>()
  for (const event of events) {
    const { stream, kind } = event
    const known = newest.get(kind) ?? -1
    const fits = known >= (last.get(stream) ?? 0)
    const index = fits ? known : slices.length
    if (fits) slices[index]?.push(event)
    else slices.push([event])
    newest.set(kind, index)
    if (stream !== null) last.set(stream, index)
  }
  return slices
}

/** The origin of a batch; undefined if it has several. */
function commonOrigin(events: readonly OutboxEvent[]) {
  const [first, ...others] = events.map(({ payload }) => storedOrigin(payload))
  return others.every((other) => other?.requestId === first?.requestId) ? first : undefined
}

/** The transactional outbox: delivers committed events at least once, also when the process dies in between. */
export interface Outbox {
  /** Writes events in an open transaction; they are delivered right after its commit. */
  write(tx: Transaction, events: readonly NewEvent[]): Promise<void>
  /** Registers a handler; handlers of one kind run in the order of registration. Call before `start`. */
  on(kind: string, handler: EventHandler): void
  /** Like `on`, for a handler that takes several events per call. */
  onBatch(kind: string, handler: BatchHandler): void
  /** Starts delivery, beginning with events left by earlier processes. */
  start(): void
  /** Triggers delivery of events that were not committed through `write`. */
  wake(): void
  /** Resolves when no due event is left. Events waiting for a retry are not due. */
  idle(): Promise<void>
  /** Finishes the current events and stops. */
  stop(): Promise<void>
}

export interface OutboxOptions {
  database: Pick<Database, 'pool' | 'withTransaction'>
  log: Log
  /** Called after the handlers and before the commit: what they sent to other servers must be on its way by then. */
  flush?: () => Promise<void>
  /** Polling interval for events of other processes, ms. */
  pollMs?: number
  /** Delay before the first retry of a failed event, ms; doubles up to ten minutes. */
  retryMs?: number
  /** An event that has been failing for this time is parked, ms. */
  parkMs?: number
}

const longestPauseMs = 600_000
/** Small, so that the locks of a batch are released soon. */
const batchSize = 100

export function createOutbox({
  database,
  log,
  flush = async () => {},
  pollMs = 1_000,
  retryMs = 500,
  parkMs = parkAfterMs,
}: OutboxOptions): Outbox {
  const handlers = new Map<string, BatchHandler[]>()
  let running = false
  let woken = false
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    woken = true
    if (!running || round) return
    round = withOrigin(undefined, deliverAll).finally(() => {
      round = undefined
      if (woken) wake()
    })
  }

  async function deliverAll(): Promise<void> {
    while (woken && running) {
      woken = false
      try {
        // A batch that is not full had every due event; later ones wake again.
        while (running && (await deliverBatch()) === batchSize) {}
      } catch (error) {
        log.error({ err: error }, 'failed to fetch events from the outbox, retrying')
        woken = false
      }
    }
  }

  /** Delivers a batch in one transaction; if an event fails, delivers each in its own. Returns the number of events. */
  async function deliverBatch(): Promise<number> {
    try {
      return await database.withTransaction(async (tx) => {
        const events = await claimEvents(tx.client, batchSize)
        for (const slice of batchEvents(events)) await deliver(slice, tx)
        if (events.length > 0) await flush()
        return events.length
      })
    } catch (error) {
      log.debug({ err: error }, 'an event of a batch failed, delivering one by one')
      return deliverOneByOne()
    }
  }

  async function deliverOneByOne(): Promise<number> {
    for (let count = 0; ; count++) {
      if (count === batchSize || !running) return count
      let event: OutboxEvent | undefined
      try {
        await database.withTransaction(async (tx) => {
          event = (await claimEvents(tx.client, 1))[0]
          if (!event) return
          await deliver([event], tx)
          await flush()
        })
      } catch (error) {
        // A lost database is not a failure of the event; too little memory for it is one.
        if (!event || (lostConnection(error) !== undefined && !lacksMemory(error))) throw error
        const { id, kind, tries } = event
        metrics.events.inc({ kind, result: 'failed' })
        const origin = storedOrigin(event.payload)
        log.error({ err: error, event: id, kind, tries, ...origin }, 'event failed, will retry')
        const pauseMs = Math.min(longestPauseMs, retryMs * 2 ** Math.min(tries, 20))
        const failingMs = await postponeEvent(database.pool, id, pauseMs)
        if (failingMs >= parkMs) {
          await parkEvent(database.pool, id, errorSummary(error))
          log.error({ event: id, kind, ...origin }, 'event parked: an admin can retry or discard it')
        }
      }
      if (!event) return count
    }
  }

  /** Calls the handlers; all `events` have one kind. */
  async function deliver(events: readonly OutboxEvent[], tx: Transaction): Promise<void> {
    const kind = events[0]?.kind ?? ''
    const known = handlers.get(kind) ?? []
    await withOrigin(commonOrigin(events), async () => {
      await traced(
        'CONSUMER',
        `event ${kind}`,
        { 'messaging.batch.message_count': events.length },
        async () => {
          for (const handler of known) await handler(events, tx)
        },
      )
    })
    if (known.length > 0) metrics.events.inc({ kind, result: 'delivered' }, events.length)
  }

  function onMany(kind: string, handler: BatchHandler): void {
    handlers.set(kind, [...(handlers.get(kind) ?? []), handler])
  }

  return {
    async write(tx, events) {
      if (events.length === 0) return
      await tx.client.query({
        name: 'outbox-write',
        text: `insert into outbox (at, stream, kind, payload)
          select (extract(epoch from clock_timestamp()) * 1000)::bigint, e.stream, e.kind, e.payload
          from jsonb_to_recordset($1::jsonb) as e(stream text, kind text, payload jsonb)`,
        values: [
          JSON.stringify(
            events.map(({ payload, ...event }) => ({ ...event, payload: storeOrigin(payload) })),
          ),
        ],
      })
      tx.afterCommit(wake)
    },
    on(kind, handler) {
      onMany(kind, (events, tx) => eachInTurn(events, (event) => handler(event, tx)))
    },
    onBatch: onMany,
    start() {
      if (running) return
      running = true
      timer = setInterval(wake, pollMs)
      timer.unref()
      wake()
    },
    wake,
    async idle() {
      wake()
      while (round) await round
    },
    async stop() {
      running = false
      clearInterval(timer)
      await round
    },
  }
}
