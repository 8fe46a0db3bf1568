const running = new Map<string, Promise<unknown>>()

/** Runs the work after all earlier work with the same key in this process; different keys run concurrently. */
export function serializeByKey<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  running.set(key, mine)
  const clear = () => {
    if (running.get(key) === mine) running.delete(key)
  }
  mine.then(clear, clear)
  return mine
}
