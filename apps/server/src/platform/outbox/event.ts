import type { Transaction } from '../database/transaction.ts'
import { storedOrigin, withOrigin } from '../log/origin.ts'

/** An event to be written to the outbox. */
export interface NewEvent {
  kind: string
  /** Events of one stream (one booking, one user) are delivered in the order they were written. */
  stream?: string | null | undefined
  payload: Record<string, unknown>
}

/** A stored event. `tries` is the number of failed deliveries. */
export interface OutboxEvent {
  id: number
  at: number
  stream: string | null
  kind: string
  payload: Record<string, unknown>
  tries: number
  /** When it was written, on the scale of `performance.now`: independent of the machines' clocks. */
  writtenAt: number
}

/**
 * Handles an event, at least once: effects outside `tx` may be repeated. Writes in `tx` are committed together with the
 * event's removal and so take effect exactly once. If the handler throws, the event is delivered again later.
 */
export type EventHandler = (event: OutboxEvent, tx: Transaction) => Promise<void> | void

/**
 * Like EventHandler, for several events of one kind in order, so that one query can serve all of them. If it throws,
 * each event is delivered again separately.
 */
export type BatchHandler = (events: readonly OutboxEvent[], tx: Transaction) => Promise<void> | void

/** Runs `work` for each event of a batch, one after the other, as part of the event's origin. */
export async function eachInTurn(
  events: readonly OutboxEvent[],
  work: (event: OutboxEvent) => Promise<void> | void,
): Promise<void> {
  for (const event of events) await withOrigin(storedOrigin(event.payload), () => work(event))
}
