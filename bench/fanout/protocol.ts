/** Messages between the measuring process and a server process. */
export type ToServer =
  | { kind: 'publish'; rounds: number; together: boolean }
  | { kind: 'pace'; perSecond: number; seconds: number }
  | { kind: 'cpu' }
export type FromServer = { kind: 'listening'; port: number } | { kind: 'paced' } | { kind: 'cpu'; ms: number }

/** The topic of a trip, by its number. */
export const topicOf = (trip: number) => `tracking:01890000-0000-7000-8000-${String(trip).padStart(12, '0')}`

/** An event as viewers of a trip receive it; `sentAt` is last, so that a receiver finds it without parsing. */
export function eventNow(sentAt = microseconds()) {
  return {
    id: '01890000-0000-7000-8000-000000000001',
    status: 'STARTED',
    lat: -34.905812,
    lng: -56.191331,
    at: 1_780_000_000_000,
    bearing: 137.5,
    speed: 42.5,
    accuracy: 6,
    arrivalS: 312,
    sentAt,
  }
}

/** The machine's monotonic clock, the same in all processes: sixteen digits. */
export function microseconds(): number {
  return 1_000_000_000_000_000 + Math.floor(Number(process.hrtime.bigint() / 1000n))
}

/** Reads `sentAt` from a message that ends with it and two braces. */
export function sentAtOf(chunk: Buffer, end: number): number {
  return Number(chunk.toString('latin1', end - 18, end - 2))
}
