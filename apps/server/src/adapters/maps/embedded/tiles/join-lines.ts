/**
 * Joins lines of one kind where exactly two of them meet, so that a street cut at junctions or tile borders becomes one
 * long line: fewer features, more room for labels. With `directed`, only an end joins a beginning; otherwise lines may
 * be reversed. Lines are flat x, y; closed lines are not joined.
 */
export function joinLines(lines: number[][], directed: boolean): number[][] {
  const meeting = new Map<string, number[]>()
  lines.forEach((line, index) => {
    for (const key of [head(line), tail(line)]) meeting.set(key, [...(meeting.get(key) ?? []), index])
  })
  const used = new Uint8Array(lines.length)
  const follow = (key: string, forward: boolean): number[] | null => {
    const here = meeting.get(key) as number[]
    if (here.length !== 2) return null
    const next = here.find((index) => !used[index])
    if (next === undefined) return null
    const line = lines[next] as number[]
    const fits = (forward ? head(line) : tail(line)) === key
    if (!fits && directed) return null
    used[next] = 1
    return fits ? line : reversed(line)
  }
  const joined: number[][] = []
  lines.forEach((line, index) => {
    if (used[index]) return
    used[index] = 1
    const parts = [line]
    for (let next = follow(tail(line), true); next; next = follow(tail(next), true)) parts.push(next)
    for (let next = follow(head(line), false); next; next = follow(head(next), false)) parts.unshift(next)
    joined.push(parts.length === 1 ? line : parts.flatMap((part, at) => (at === 0 ? part : part.slice(2))))
  })
  return joined
}

/** The line in reverse direction. */
export function reversed(line: number[]): number[] {
  const result: number[] = []
  for (let i = line.length - 2; i >= 0; i -= 2) result.push(line[i] as number, line[i + 1] as number)
  return result
}

function head(line: number[]): string {
  return `${line[0]},${line[1]}`
}

function tail(line: number[]): string {
  return `${line.at(-2)},${line.at(-1)}`
}
