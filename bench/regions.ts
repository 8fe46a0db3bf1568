import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomFrom } from '../apps/server/src/adapters/maps/embedded/streets/test-drives.ts'
import { toWorld, worldSize } from '../apps/server/src/adapters/maps/embedded/world.ts'
import { createEmbeddedMaps } from '../apps/server/src/adapters/maps/embedded.ts'
import type { Region } from '../apps/server/src/adapters/maps/port.ts'
import { against, type Line } from './limits.ts'

/**
 * Imports extracts with the command that operators use, then serves tiles of them. The extracts are those that
 * BENCH_EXTRACTS lists, separated by commas; otherwise the small one that the tests import. The tiles are of all zoom
 * levels from 10 and of random places in the region; each is requested once, compressed, as by the first visitor.
 * The peer is the limit that each figure must stay within.
 */
const shipped = fileURLToPath(new URL('../apps/server/fixtures/vaduz.osm.pbf', import.meta.url))
const commands = new URL('../apps/server/dist/commands.js', import.meta.url).href
const tileCount = 4_000
const zooms = [10, 11, 12, 13, 14, 15, 16]

export async function run(): Promise<Line[]> {
  const extracts = process.env.BENCH_EXTRACTS?.split(',').filter(Boolean) ?? []
  const lines: Line[] = []
  for (const extract of extracts.length > 0 ? extracts : [shipped]) {
    const dataDir = mkdtempSync(join(tmpdir(), 'hansom-bench-region-'))
    try {
      lines.push(...(await importLines(extract, dataDir)), await tileLine(extract, dataDir))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  return lines
}

async function importLines(extract: string, dataDir: string): Promise<Line[]> {
  const { size } = statSync(extract)
  const command = ['maps', 'import', extract, '--name', 'bench']
  const program = `import('${commands}').then(({ runCommand }) => runCommand(${JSON.stringify(command)}, '/'))
    .then((code) => process.send({ code, bytes: process.resourceUsage().maxRSS * 1024 }, () => process.exit()))`
  const began = performance.now()
  const child = spawn(process.execPath, ['-e', program], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let told: { code: number; bytes: number } | undefined
  child.on('message', (message) => {
    told = message as typeof told
  })
  await once(child, 'close')
  const seconds = (performance.now() - began) / 1000
  if (told?.code !== 0) throw new Error(`the import of ${extract} failed`)
  const name = basename(extract, '.osm.pbf')
  const megabytes = size / 1e6
  return [
    against(`import of ${name}, ${megabytes.toFixed(1)} MB`, 's', seconds, megabytes),
    against(`memory of the import of ${name}`, 'MB', told.bytes / 1e6, 150 + 30 * megabytes),
  ]
}

async function tileLine(extract: string, dataDir: string): Promise<Line> {
  const maps = await createEmbeddedMaps({ dataDir, log: { info: () => {} }, regions: ['bench'] })
  const random = randomFrom(7)
  const wanted = new Map<string, [number, number, number]>()
  for (let drawn = 0; drawn < tileCount; drawn++) {
    const z = zooms[drawn % zooms.length] as number
    const [x, y] = tileIn(maps.region, z, random)
    wanted.set(`${z}/${x}/${y}`, [z, x, y])
  }
  const ms: number[] = []
  for (const [z, x, y] of wanted.values()) {
    const began = performance.now()
    await maps.tile(z, x, y)
    ms.push(performance.now() - began)
  }
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number
  const name = basename(extract, '.osm.pbf')
  return against(`${sorted.length} tiles of ${name}, p50 ${at(0.5).toFixed(2)} ms`, 'ms p99', at(0.99), 10)
}

/** The tile at a random place of a region's bounds. */
function tileIn(
  { bounds: [west, south, east, north] }: Region,
  z: number,
  random: () => number,
): [number, number] {
  const { x, y } = toWorld({ lat: south + random() * (north - south), lng: west + random() * (east - west) })
  const side = worldSize / 2 ** z
  return [Math.floor(x / side), Math.floor(y / side)]
}
