import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { PositionsResult } from '../positions.ts'
import { drawBars } from './chart.ts'
import { chartFile, pageFile, readFigures } from './draw.ts'
import type { ScaleFigures } from './figures.ts'
import { chartsOf, fillPage } from './page.ts'
import { kindOf, largestShard, planShard } from './plan.ts'

const textOf = (file: string) => readFileSync(file, 'utf8')

describe('docs/scale.md', () => {
  test('tables -> what figures.json says', () => {
    const page = textOf(pageFile)
    expect(fillPage(page, readFigures())).toBe(page)
    expect(page.match(/<!-- figures: /g)?.length).toBe(page.match(/<!-- end -->/g)?.length)
  })

  test('charts -> what figures.json says', () => {
    const charts = chartsOf(readFigures())
    expect(charts.size).toBeGreaterThan(0)
    for (const [name, svg] of charts) expect(textOf(chartFile(name)), name).toBe(svg)
  })

  test('a marker without figures -> refused', () => {
    expect(() => fillPage('<!-- figures: unknown -->\n<!-- end -->', figures)).toThrow('unknown')
  })
})

const position = (servers: number, trips: number, cpu: number): PositionsResult => ({
  servers,
  drivers: 100,
  trips,
  positionsPerSecond: 1_000,
  idleMs: { servers: 0, postgres: 0, redis: 0 },
  cpuMs: { servers: cpu, postgres: trips > 0 ? 20 : 1, redis: servers },
  busBytes: { in: 100, out: 100 * servers },
  rate: 500,
  failed: 0,
  frames: { sent: 1, seen: 1 },
  reporting: 100,
  ackMs: [1, 2],
  riderMs: [1, 2],
  memoryMb: [100],
})

const origin = { date: '2026-11-27', commit: 'abc', node: '24.0.0', cores: 2 }

const figures: ScaleFigures = {
  origins: { trips: origin, positions: origin, kinds: origin, fanout: origin, search: origin },
  trips: [
    {
      servers: 2,
      drivers: 100,
      tripsPerSecond: 10,
      transactionsPerSecond: 1_000,
      cpuSeconds: { servers: 30, postgres: 15, redis: 2 },
      rate: 7,
      trips: 140,
      failed: 0,
      bookMs: [1, 2],
      acceptedMs: [1, 2],
      commandMs: [1, 2],
      memoryMb: [100, 100],
    },
  ],
  positions: [position(3, 50, 60)],
  // 20 and 100 ms of the receiving server; 5 of every server.
  kinds: [position(1, 0, 25), position(3, 0, 35), position(1, 100, 105), position(3, 100, 115)],
  fanout: [],
  search: [{ drivers: 100_000, searchesPerSecond: 1_000, p50Ms: 1, p99Ms: 2, bytesPerDriver: 1_048.576 }],
}

describe('plan', () => {
  test('cost with one and three servers -> of the receiving one and of every one', () => {
    const kind = kindOf(position(1, 0, 25), position(3, 0, 35))
    expect(kind).toEqual({ received: 20, everywhere: 5, postgres: 1, redisOfServer: 1, bytesOfServer: 100 })
  })

  test('no more cost with more servers, within the error of measuring -> none for every server', () => {
    expect(kindOf(position(1, 0, 35), position(3, 0, 30))).toMatchObject({ received: 30, everywhere: 0 })
  })

  test('a shard of 3,000 drivers -> servers for what they share beside what each hears', () => {
    const plan = planShard(figures, 3_000)
    // 1,200 positions a second of trips and 600 of others; 1,200 drivers finish a trip in 1,200 s each.
    expect(plan).toMatchObject({ positionsPerSecond: 1_800, tripsPerSecond: 1, indexMb: 3 })
    // 120 + 12 + 30 ms a second are shared, and each hears 9 ms: one server has 600.
    expect(plan.servers).toBe(1)
    expect(plan.postgresCores).toBeCloseTo((24 + 0.6 + 15) / 600)
    // One server has no Redis.
    expect([plan.redisCores, plan.busMb]).toEqual([0, 0])
    expect(plan.socketsOfServer).toBe(4_200)
  })

  test('ten times the drivers -> more servers', () => {
    const plan = planShard(figures, 30_000)
    expect(plan.servers).toBe(Math.ceil(1_620 / (600 - 90)))
    // Redis sends everything to each of the four.
    expect(plan.redisCores).toBeCloseTo((4 * (18 + 10)) / 600, 5)
    expect(plan.busMb).toBeCloseTo(4 * 1.8, 5)
  })

  test('servers that are busy without work -> more of them', () => {
    // 150 ms a second, of each.
    const kinds = figures.kinds.map((one) => ({
      ...one,
      idleMs: { servers: one.servers * 150, postgres: 0, redis: 0 },
    }))
    expect(planShard({ ...figures, kinds }, 30_000).servers).toBe(Math.ceil(1_620 / (600 - 90 - 150)))
  })

  test('every server is busy with the positions of all -> not possible', () => {
    expect(planShard(figures, 210_000).servers).toBeNull()
  })

  test('the largest shard -> half of the allowed time for the positions of all', () => {
    expect(largestShard(figures)).toBe(100_000)
  })
})

describe('chart', () => {
  test('parts -> bars end to end, the sum behind them', () => {
    const rows = [{ label: '<1 & 2>', values: [30, 10] }]
    const svg = drawBars({ title: 'CPU', unit: 's', parts: ['a', 'b'], rows })
    const bars = [...svg.matchAll(/class="part\d" x="([\d.]+)" y="100" width="([\d.]+)"/g)].map(
      ([, x, width]) => [Number(x), Number(width)] as const,
    )
    const [first = [0, 0], second = [0, 0]] = bars
    expect(bars).toHaveLength(2)
    expect(first[0] + first[1]).toBeCloseTo(second[0])
    expect(first[1]).toBeCloseTo(3 * second[1])
    expect(svg).toContain('>40</text>')
    expect(svg).toContain('&lt;1 &amp; 2>')
  })
})
