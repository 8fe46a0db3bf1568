import { type BarChart, drawBars, written } from './chart.ts'
import { type ScaleFigures, scaleParts } from './figures.ts'
import { assumed, idleOfServer, kindsOf, largestShard, planShard } from './plan.ts'

/** Shards of these sizes are planned, in drivers online. */
const shardSizes = [1_000, 5_000, 10_000, 25_000, 50_000, 100_000]
const million = 1_000_000

/** Replaces what is between the markers of docs/scale.md by what the figures say. Throws for a marker without content. */
export function fillPage(page: string, figures: ScaleFigures): string {
  const parts = partsOf(figures)
  return page.replace(/(<!-- figures: (\w+) -->\n)[^]*?(<!-- end -->)/g, (_, begin, name, end) => {
    const part = parts[name as keyof typeof parts]
    if (part === undefined) throw new Error(`the page asks for ${name}, which no figures are about`)
    return `${begin}\n${part}\n\n${end}`
  })
}

/** The charts, by file name. */
export function chartsOf(figures: ScaleFigures): Map<string, string> {
  const parts = ['servers', 'PostgreSQL', 'Redis']
  const spent = ({ servers, postgres, redis }: { servers: number; postgres: number; redis: number }) => [
    servers,
    postgres,
    redis,
  ]
  const charts: Record<string, BarChart> = {
    trips: {
      title: 'CPU time of 1,000 trips',
      unit: 'seconds, from the booking to the rating',
      parts,
      rows: figures.trips.map((one) => ({ label: serverCount(one.servers), values: spent(one.cpuSeconds) })),
    },
    positions: {
      title: 'CPU time of 1,000 positions',
      unit: 'milliseconds, three servers',
      parts,
      rows: figures.positions.map((one) => ({
        label: `${written(one.drivers)} drivers`,
        values: spent(one.cpuMs),
      })),
    },
    search: {
      title: 'Searches for free cars a second',
      unit: 'one server, signed in, with what makes drivers eligible',
      parts: ['searches'],
      rows: figures.search.map((one) => ({
        label: `${written(one.drivers)} drivers`,
        values: [one.searchesPerSecond],
      })),
    },
    shards: {
      title: 'Cores for a shard',
      unit: `at ${assumed.load * 100} % load in the busiest hour`,
      parts,
      rows: shardSizes
        .map((size) => planShard(figures, size))
        .flatMap((plan) =>
          plan.servers === null || plan.redisCores === null
            ? []
            : [
                {
                  label: `${written(plan.drivers)} drivers`,
                  values: [plan.servers, plan.postgresCores, plan.redisCores],
                },
              ],
        ),
    },
  }
  return new Map(Object.entries(charts).map(([name, chart]) => [`${name}.svg`, drawBars(chart)]))
}

function partsOf(figures: ScaleFigures) {
  const { free, trip } = kindsOf(figures)
  const largest = largestShard(figures)
  const ofCores = (seconds: number) => money((seconds / 3_600 / assumed.load) * assumed.corePrice)
  return {
    origin: originOf(figures),
    trips: table(
      ['Servers', 'Trips/s', 'CPU of 1,000 trips, s: servers', 'PostgreSQL', 'Redis', 'its price, USD'],
      figures.trips.map(({ servers, tripsPerSecond, cpuSeconds: { servers: node, postgres, redis } }) => [
        ...[servers, tripsPerSecond, node, postgres, redis].map(written),
        ofCores(node + postgres + redis),
      ]),
    ),
    waits: table(
      [
        'Servers',
        'New trips/s',
        'Booking, ms',
        'Until accepted, ms',
        'Commands, ms',
        'Failed',
        'Memory of each server, MB',
      ],
      figures.trips.map((one) => [
        written(one.servers),
        written(one.rate),
        ...[one.bookMs, one.acceptedMs, one.commandMs].map(both),
        `${written(one.failed)} of ${written(one.trips + one.failed)}`,
        one.memoryMb.map(written).join(', '),
      ]),
    ),
    positions: table(
      [
        'Drivers',
        'Positions/s',
        'CPU of 1,000, ms: servers',
        'PostgreSQL',
        'Redis',
        'Acknowledged, ms',
        'At the rider, ms',
        'Memory of each server, MB',
      ],
      figures.positions.map((one) => [
        written(one.drivers),
        written(one.positionsPerSecond),
        ...[one.cpuMs.servers, one.cpuMs.postgres, one.cpuMs.redis].map(written),
        ...[one.ackMs, one.riderMs].map(both),
        one.memoryMb.map(written).join(', '),
      ]),
    ),
    kinds: table(
      [
        '1,000 positions of',
        'Server that gets them, ms',
        'Every server, ms',
        'PostgreSQL, ms',
        'Redis, for each server, ms',
        'Bytes to each server, for one',
      ],
      [
        { name: 'drivers without a trip', kind: free },
        { name: 'drivers on a trip', kind: trip },
      ].map(({ name, kind }) => [
        name,
        ...[kind.received, kind.everywhere, kind.postgres, kind.redisOfServer, kind.bytesOfServer].map(
          written,
        ),
      ]),
    ),
    idle: `Beside that, a server without work spends ${written(idleOfServer(figures))} ms of CPU a second.`,
    fanout: table(
      [
        '20,000 deliveries/s across three servers',
        'Hansom, ms',
        'Bare Redis and ws, ms',
        'CPU of 1,000 deliveries, ms',
        'Bare, ms',
      ],
      figures.fanout.map((line) => [
        line.job.includes('-p99-') ? '99th percentile' : 'median',
        ...[line.ours, line.peer, line.ours_cpu_ms, line.peer_cpu_ms].map(written),
      ]),
    ),
    search: table(
      ['Drivers', 'Searches/s', 'Median, ms', '99th percentile, ms', 'Index, bytes for a driver'],
      figures.search.map((one) => [
        ...[one.drivers, one.searchesPerSecond, one.p50Ms, one.p99Ms].map(written),
        one.bytesPerDriver === null ? '' : written(one.bytesPerDriver),
      ]),
    ),
    shards: table(
      [
        'Drivers online',
        'Positions/s',
        'Trips/s',
        'Servers of one core',
        'PostgreSQL, cores',
        'Redis, cores',
        'Redis sends, MB/s',
        'Index of each server, MB',
        'Sockets of each server',
        '1,000 trips, USD',
      ],
      shardSizes.map((size) => {
        const plan = planShard(figures, size)
        return [
          ...[plan.drivers, plan.positionsPerSecond, plan.tripsPerSecond].map(written),
          plan.servers === null ? 'not possible' : written(plan.servers),
          written(plan.postgresCores),
          orDash(plan.redisCores),
          orDash(plan.busMb),
          written(plan.indexMb),
          orDash(plan.socketsOfServer),
          plan.costOf1000Trips === null ? '–' : money(plan.costOf1000Trips),
        ]
      }),
    ),
    million: table(
      [
        'Drivers of a shard',
        'Shards',
        'Servers',
        'PostgreSQL, cores',
        'Redis, cores',
        'Cores together',
        'USD an hour',
      ],
      shardSizes
        .map((size) => planShard(figures, size))
        .flatMap(({ drivers, servers, postgresCores, redisCores }) => {
          if (servers === null || redisCores === null) return []
          const shards = Math.ceil(million / drivers)
          const cores = servers + postgresCores + redisCores
          return [
            [
              ...[
                drivers,
                shards,
                shards * servers,
                shards * postgresCores,
                shards * redisCores,
                shards * cores,
              ].map(written),
              money(shards * cores * assumed.corePrice),
            ],
          ]
        }),
    ),
    largest:
      largest === null
        ? 'What a position costs every server was too small to be measured.'
        : `A shard has at most about ${written(largest)} drivers: beyond that, every server spends more than half of its allowed time on positions of all drivers, and another server hardly helps.`,
  }
}

/** One sentence for the parts that were measured together. */
function originOf({ origins }: ScaleFigures): string {
  const partsOfOrigin = new Map<string, string[]>()
  for (const part of scaleParts) {
    const { date, commit, cores, node } = origins[part]
    const text = `measured on ${date} at ${commit}: ${cores} cores, Node.js ${node}.`
    partsOfOrigin.set(text, [...(partsOfOrigin.get(text) ?? []), part])
  }
  const isOne = partsOfOrigin.size === 1
  return [...partsOfOrigin]
    .map(([text, parts]) => (isOne ? `M${text.slice(1)}` : `${capital(parts.join(', '))} ${text}`))
    .join(' ')
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

/** Median and 99th percentile. */
const both = ([p50, p99]: readonly [number, number]): string => `${written(p50)} / ${written(p99)}`

const orDash = (value: number | null): string => (value === null ? '–' : written(value))

const money = (value: number): string => (value < 1 ? value.toPrecision(2) : value.toFixed(2))

const serverCount = (count: number): string => (count === 1 ? '1 server' : `${count} servers`)
