import { MinHeap } from '@hansom/domain/min-heap'
import { isPrivate, type Network, stepHead, stepMs, stepTail } from './network.ts'
import { turnAroundMs } from './turn-states.ts'

/** Private streets are driven first or last, public ones between them. */
const phases = ['leaving', 'public', 'arriving'] as const
type Phase = (typeof phases)[number]

interface Label {
  node: number
  /** The last step, and those before it that could begin a forbidden path. */
  recent: readonly number[]
  phase: Phase
}

/**
 * Milliseconds from one node to another by Dijkstra's algorithm on labels of a node and the last steps, Infinity if
 * there is no path. Forbidden paths are not driven; a car turns around only where nothing else is permitted. A
 * reference for tests and benchmarks; production code does not use it.
 */
export function plainDijkstra(
  network: Network,
  forbidden: readonly number[][] = [],
): (from: number, to: number) => number {
  const steps = network.edgeFrom.length * 2
  const out = new Map<number, number[]>()
  for (let step = 0; step < steps; step++) {
    const tail = stepTail(network, step)
    if (stepMs(network, step) > 0) out.set(tail, [...(out.get(tail) ?? []), step])
  }
  const isOpen = (step: number) => !isPrivate(network, step >> 1)
  const publicNodes = new Set<number>()
  for (const step of [...out.values()].flat().filter(isOpen))
    publicNodes.add(stepTail(network, step)).add(stepHead(network, step))
  const banned = new Set(forbidden.map((path) => path.join(' ')))
  const begun = new Set(
    forbidden.flatMap((path) => path.slice(0, -1).map((_, at) => path.slice(0, at + 1).join(' '))),
  )
  const firsts = new Set(forbidden.map(([first]) => first))

  const remember = (recent: readonly number[], step: number) => {
    if (recent.length < 2 && !firsts.has(recent[0])) return [step]
    const all = [...recent, step]
    while (all.length > 1 && !begun.has(all.join(' '))) all.shift()
    return all
  }
  const isForbidden = (recent: readonly number[], step: number) =>
    recent.some((first, at) => firsts.has(first) && banned.has([...recent.slice(at), step].join(' ')))

  const eachMove = (
    { node, recent, phase }: Label,
    visit: (step: number, phase: Phase, extraMs: number) => void,
  ) => {
    const back = (recent.at(-1) ?? -2) ^ 1
    const permitted = (out.get(node) ?? []).filter((step) => !isForbidden(recent, step))
    const isStuck = !permitted.some((step) => step !== back && isOpen(step))
    for (const step of permitted) {
      if (isOpen(step)) {
        if (phase !== 'arriving' && (step !== back || isStuck))
          visit(step, 'public', step === back ? turnAroundMs : 0)
      } else if (step !== back && (phase !== 'arriving' || !publicNodes.has(node)))
        visit(step, phase === 'leaving' && !publicNodes.has(node) ? 'leaving' : 'arriving', 0)
    }
  }

  return (from, to) => {
    const labels: Label[] = [{ node: from, recent: [], phase: publicNodes.has(from) ? 'public' : 'leaving' }]
    const reachedAfter = new Float64Array(steps * phases.length).fill(Number.POSITIVE_INFINITY)
    const reachedLong = new Map<string, number>()
    const reached = ({ recent, phase }: Label) =>
      recent.length > 1
        ? (reachedLong.get(`${phase} ${recent.join(' ')}`) ?? Number.POSITIVE_INFINITY)
        : (reachedAfter[phases.indexOf(phase) * steps + (recent[0] ?? 0)] as number)
    const reach = ({ recent, phase }: Label, ms: number) => {
      if (recent.length > 1) reachedLong.set(`${phase} ${recent.join(' ')}`, ms)
      else reachedAfter[phases.indexOf(phase) * steps + (recent[0] ?? 0)] = ms
    }
    const queue = new MinHeap()
    queue.push(0, 0)
    while (queue.size > 0) {
      const ms = queue.leastKey
      const label = labels[queue.pop()] as Label
      if (label.node === to && (label.phase !== 'arriving' || !publicNodes.has(to))) return ms
      if (label.recent.length > 0 && ms > reached(label)) continue
      eachMove(label, (step, phase, extraMs) => {
        const total = ms + stepMs(network, step) + extraMs
        const next = { node: stepHead(network, step), recent: remember(label.recent, step), phase }
        if (total >= reached(next)) return
        reach(next, total)
        queue.push(total, labels.push(next) - 1)
      })
    }
    return Number.POSITIVE_INFINITY
  }
}
