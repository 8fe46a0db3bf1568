import type { Transaction } from '../database/transaction.ts'

/** News of something that has happened, on its way to whoever reacts to it. */
export interface NewEvent {
  kind: string
  /** Events of one stream (one booking, one user) are told in the order they were written. */
  stream?: string | null
  payload: Record<string, unknown>
}

/** A written event. `tries` counts the tellings that failed before this one. */
export interface OutboxEvent {
  id: number
  at: number
  stream: string | null
  kind: string
  payload: Record<string, unknown>
  tries: number
}

/**
 * Told at least once: what a handler does outside of `tx` may come twice. What it writes in `tx` is committed
 * together with the event's removal, and so counts once. What it throws makes the event come again later.
 */
export type EventHandler = (event: OutboxEvent, tx: Transaction) => Promise<void> | void

/**
 * As EventHandler, for some events of one kind at once, in their order: one look at the database serves them all. When
 * it throws, each event comes again in a telling of its own.
 */
export type BatchHandler = (events: readonly OutboxEvent[], tx: Transaction) => Promise<void> | void
