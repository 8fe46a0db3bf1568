const running = new Map<string, Promise<unknown>>()

/** Does the work for one key after what is under way for it, in this process; what others do goes on beside it. */
export function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  running.set(key, mine)
  const clear = () => {
    if (running.get(key) === mine) running.delete(key)
  }
  mine.then(clear, clear)
  return mine
}
