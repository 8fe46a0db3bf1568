import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { measurePositions } from '../positions.ts'
import { searchGrowth } from '../search-route.ts'
import * as serversFanout from '../servers-fanout.ts'
import { measureTrips } from '../trips.ts'
import { figuresFile, readFigures, writeScale } from './draw.ts'
import { type Part, type ScaleFigures, scaleParts } from './figures.ts'

/** Measures what docs/scale.md says, or the parts that are named, and writes it. A part that fails leaves the others as they are. */
const measures: { [P in Part]: () => Promise<ScaleFigures[P]> } = {
  trips: () => inTurn([1, 2, 3], (servers) => measureTrips(servers)),
  // With fewer drivers, each would send more frames than a server takes from a socket.
  positions: () =>
    inTurn([300, 1_000, 10_000], (drivers) => measurePositions({ drivers, trips: 50, servers: 3 })),
  // More drivers than trips, so that each rider finds one soon.
  kinds: () =>
    inTurn(
      [
        { servers: 1, drivers: 1_500, trips: 0 },
        { servers: 3, drivers: 1_500, trips: 0 },
        { servers: 1, drivers: 500, trips: 200, reporting: 200 },
        { servers: 3, drivers: 500, trips: 200, reporting: 200 },
      ],
      measurePositions,
    ),
  fanout: () => serversFanout.run(),
  search: () => searchGrowth([1_000, 10_000, 100_000]),
}

async function inTurn<In, Out>(values: readonly In[], measure: (value: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (const value of values) {
    results.push(await measure(value))
    console.log(JSON.stringify(results.at(-1)))
  }
  return results
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !scaleParts.includes(name as Part))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Available: ${scaleParts.join(', ')}.`)
  process.exit(1)
}
const parts = wanted.length > 0 ? (wanted as Part[]) : scaleParts
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const origin = {
  date: new Date().toISOString().slice(0, 10),
  commit,
  node: process.versions.node,
  cores: availableParallelism(),
}
const figures: Partial<ScaleFigures> = existsSync(figuresFile) ? readFigures() : {}
for (const part of parts) {
  const startedAt = performance.now()
  Object.assign(figures, { [part]: await measures[part]() })
  figures.origins = { ...(figures.origins as ScaleFigures['origins']), [part]: origin }
  console.log(`${part}: ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  writeScale(figures)
}
