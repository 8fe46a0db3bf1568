import type { OutboxEvent } from './event.ts'

/**
 * Groups events of one kind for batch handlers. The events of a stream keep their order across kinds: a new batch
 * begins where a stream changes its kind.
 */
export function batchEvents(events: readonly OutboxEvent[]): OutboxEvent[][] {
  const slices: OutboxEvent[][] = []
  let kinds = new Map<string, OutboxEvent[]>()
  let kindOf = new Map<string, string>()
  const close = () => {
    slices.push(...kinds.values())
    kinds = new Map()
    kindOf = new Map()
  }
  for (const event of events) {
    const { stream, kind } = event
    if (stream !== null && (kindOf.get(stream) ?? kind) !== kind) close()
    if (stream !== null) kindOf.set(stream, kind)
    const slice = kinds.get(kind)
    if (slice) slice.push(event)
    else kinds.set(kind, [event])
  }
  close()
  return slices
}
