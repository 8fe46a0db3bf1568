import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Log } from '../log/log.ts'
import { claimEvents, putOff, removeEvents } from './claim.ts'
import type { EventHandler, NewEvent, OutboxEvent } from './event.ts'

/** What was committed is told, at least once, also when the process dies in between. */
export interface Outbox {
  /** Writes events into an open transaction; they are told right after its commit. */
  write(tx: Transaction, events: readonly NewEvent[]): Promise<void>
  /** Registers a handler; several of one kind run in the order of registration. Before `start`. */
  on(kind: string, handler: EventHandler): void
  /** Begins to tell, what earlier processes left first. */
  start(): void
  /** Says that something was committed by other means than `write`. */
  wake(): void
  /** Resolves when nothing due is left. Events that wait for another try are not due. */
  idle(): Promise<void>
  /** Finishes the events at hand and stops. */
  stop(): Promise<void>
}

export interface OutboxOptions {
  database: Pick<Database, 'pool' | 'withTransaction'>
  log: Log
  /** How often to look for what other processes left behind, ms. */
  pollMs?: number
  /** Pause before the first repetition of a failed event, ms; it doubles up to ten minutes. */
  retryMs?: number
}

const longestPauseMs = 600_000

export function createOutbox({ database, log, pollMs = 1_000, retryMs = 500 }: OutboxOptions): Outbox {
  const handlers = new Map<string, EventHandler[]>()
  let running = false
  let woken = false
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    woken = true
    if (!running || round) return
    round = tellAll().finally(() => {
      round = undefined
      if (woken) wake()
    })
  }

  async function tellAll(): Promise<void> {
    while (woken && running) {
      woken = false
      try {
        while (running && (await tellBatch()) > 0) {}
      } catch (error) {
        log.error({ err: error }, 'events could not be fetched from the outbox, trying again')
        woken = false
      }
    }
  }

  /** One claim, told and removed in one transaction. Returns how many events were at hand. */
  async function tellBatch(): Promise<number> {
    return database.withTransaction(async ({ client }) => {
      const events = await claimEvents(client)
      const told: number[] = []
      const failed: OutboxEvent[] = []
      await Promise.all(
        byStream(events).map(async (stream) => {
          for (const event of stream) {
            if (!(await tell(event))) return failed.push(event)
            told.push(event.id)
          }
        }),
      )
      await removeEvents(client, told)
      for (const event of failed) await putOff(client, event.id, pauseBefore(event.tries, retryMs))
      return events.length
    })
  }

  async function tell(event: OutboxEvent): Promise<boolean> {
    try {
      for (const handler of handlers.get(event.kind) ?? []) await handler(event)
      return true
    } catch (error) {
      log.error(
        { err: error, event: event.id, kind: event.kind, tries: event.tries },
        'an event was not told',
      )
      return false
    }
  }

  return {
    async write(tx, events) {
      if (events.length === 0) return
      await tx.client.query({
        name: 'outbox-write',
        text: `insert into outbox (at, stream, kind, payload)
          select (extract(epoch from clock_timestamp()) * 1000)::bigint, e.stream, e.kind, e.payload
          from jsonb_to_recordset($1::jsonb) as e(stream text, kind text, payload jsonb)`,
        values: [JSON.stringify(events)],
      })
      tx.afterCommit(wake)
    },
    on(kind, handler) {
      handlers.set(kind, [...(handlers.get(kind) ?? []), handler])
    },
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

function pauseBefore(tries: number, first: number): number {
  return Math.min(longestPauseMs, first * 2 ** Math.min(tries, 20))
}

/** Events of one stream one after the other; those without a stream each on its own. */
function byStream(events: readonly OutboxEvent[]): OutboxEvent[][] {
  const streams = new Map<string, OutboxEvent[]>()
  for (const event of events) {
    const name = event.stream ?? `#${event.id}`
    const stream = streams.get(name)
    if (stream) stream.push(event)
    else streams.set(name, [event])
  }
  return [...streams.values()]
}
