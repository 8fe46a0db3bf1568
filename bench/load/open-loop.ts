/** How long callers waited, ms, and how many got no answer or a refusal. */
export interface Outcome {
  waits: number[]
  failed: number
}

/**
 * Begins `rate` calls a second for some seconds, whether or not earlier ones were answered: latency counts from the planned
 * time, so that a slow server cannot slow down the measurement. Resolves when all have ended. `onError` gets each failure.
 */
export async function openLoop(
  { rate, seconds }: { rate: number; seconds: number },
  call: (number: number) => Promise<unknown>,
  onError: (error: unknown) => void = () => {},
): Promise<Outcome> {
  const outcome: Outcome = { waits: [], failed: 0 }
  const total = Math.round(rate * seconds)
  const running = new Set<Promise<void>>()
  const startedAt = performance.now()
  const begin = (number: number) => {
    const plannedAt = startedAt + (number * 1_000) / rate
    const run = call(number)
      .then(() => void outcome.waits.push(performance.now() - plannedAt))
      .catch((error: unknown) => {
        outcome.failed++
        onError(error)
      })
      .finally(() => running.delete(run))
    running.add(run)
  }
  for (let begun = 0; begun < total; ) {
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startedAt) * rate) / 1_000))
    for (; begun < due; begun++) begin(begun)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(running)
  return outcome
}

/**
 * Some callers who each begin the next call when the last one is answered, for some seconds. `call` gets the number of calls begun
 * before. Returns calls a second.
 */
export async function closedLoop(
  { callers, seconds }: { callers: number; seconds: number },
  call: (number: number) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  const end = startedAt + seconds * 1_000
  let begun = 0
  const next = async () => {
    while (performance.now() < end) await call(begun++)
  }
  await Promise.all(Array.from({ length: callers }, next))
  return begun / ((performance.now() - startedAt) / 1_000)
}

/** The value below which a share of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
