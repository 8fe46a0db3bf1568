import { formatVersion, RegionStore } from './adapters/maps/embedded/region-store.ts'
import { packagedRegion } from './adapters/maps/embedded/source/qa-tiles.ts'
import { askRedis } from './adapters/server-bus/ask-redis.ts'
import { findOwnRedis, redisProgram } from './adapters/server-bus/own-redis.ts'
import type { Config } from './config.ts'
import { type DoctorOptions, examine } from './doctor.ts'
import type { Finding } from './doctor-database.ts'

/** The command `doctor`: examines the installation and says what to mend. */

const labels: Record<Finding['level'], string> = { ok: 'ok', warning: 'warning', problem: 'MEND' }

function maps({ dataDir, mapRegions }: Config) {
  const store = new RegionStore(dataDir)
  const chosen = mapRegions ?? store.inUse()
  const used = chosen.length > 0 ? chosen : [packagedRegion.id]
  const usable = store.list().flatMap(({ id, file }) => (file?.format === formatVersion ? [id] : []))
  // The packaged one is made at the start.
  return { used, unusable: used.filter((id) => id !== packagedRegion.id && !usable.includes(id)) }
}

const ownRedis = { program: redisProgram, find: findOwnRedis }

/** Prints what was found; returns the exit code. */
export async function runDoctorCommand(
  options: Omit<DoctorOptions, 'maps' | 'redis' | 'ownRedis'>,
): Promise<0 | 1> {
  const findings = await examine({ ...options, maps, redis: askRedis, ownRedis })
  for (const { level, text } of findings)
    process.stdout.write(`${labels[level].padEnd(8)} ${text.replaceAll('\n', '\n         ')}\n`)
  const count = findings.filter(({ level }) => level === 'problem').length
  process.stdout.write(count === 0 ? '\nNothing must be mended.\n' : `\nTo mend: ${count}.\n`)
  return count === 0 ? 0 : 1
}
