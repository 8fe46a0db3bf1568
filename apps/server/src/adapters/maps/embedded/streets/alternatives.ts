import { type Cost, msOf } from './cost.ts'
import type { Gates } from './gates.ts'
import { type Network, stepMs } from './network.ts'
import type { Path, PathFinder, Seed } from './shortest-path.ts'

/** An alternative takes at most this many times as long as the fastest route. */
export const mostStretch = 1.25
/** At most this share of its time is on streets of a better route. */
const mostShared = 0.75
/** Every part of an alternative of this share of the fastest route's time is itself a fastest route. */
const optimalShare = 0.25
/** Paths that are examined, fastest first. */
const mostExamined = 60

/**
 * Up to `most` other paths over states that both searches reach: limited sharing, bounded stretch, and local optimality
 * around that state (Abraham, Delling, Goldberg, Werneck, 2010).
 */
export function alternatives(
  { finder, gates, network }: { finder: PathFinder; gates: Gates; network: Network },
  sources: readonly Seed[],
  targets: readonly Seed[],
  most = 2,
): Path[] {
  const [best, ...others] = finder.pathsOver(sources, targets, mostStretch, mostExamined)
  if (!best) return []
  const found: Path[] = []
  for (const { path, before } of others) {
    if (found.length === most) break
    const shared = [best.path, ...found].map((better) => sharedMs(network, better, path))
    if (Math.max(...shared) > mostShared * msOf(best.path.cost)) continue
    if (isLocallyOptimal(path.steps, before, optimalShare * msOf(best.path.cost))) found.push(path)
  }
  return found

  /** Whether the part around the state, which `at` steps come before, is the fastest between its ends. */
  function isLocallyOptimal(steps: readonly number[], at: number, ms: number): boolean {
    let first = at
    for (let left = ms; first > 0 && left > 0; first--) left -= stepMs(network, steps[first - 1] as number)
    let last = at
    for (let left = ms; last < steps.length && left > 0; last++)
      left -= stepMs(network, steps[last] as number)
    const part = steps.slice(first, last)
    if (part.length < 2) return true
    const between = part.slice(1, -1)
    const own = between.reduce((sum, step) => sum + stepMs(network, step), 0)
    const seeds = (states: number[]): Seed[] => states.map((state) => ({ state, cost: 0 }))
    const fastest = finder.path(
      seeds([gates.after(part[0] as number)]),
      seeds(gates.before(part.at(-1) as number)),
    )
    return fastest !== null && msOf(fastest.cost) >= own
  }
}

function sharedMs(network: Network, one: Path, other: Path): Cost {
  const steps = new Set(one.steps)
  return other.steps.reduce((sum, step) => sum + (steps.has(step) ? stepMs(network, step) : 0), 0)
}
