const firstMs = 2_000
const longestMs = 30_000

/** How long to wait before asking again, ms: often at first, then ever more rarely. `asked` counts from 0. */
export function pollPause(asked: number): number {
  return Math.min(longestMs, Math.round(firstMs * 1.4 ** asked))
}
