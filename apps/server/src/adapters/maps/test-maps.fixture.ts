import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RegionMaps } from './embedded/side-by-side.ts'
import { createEmbeddedMaps } from './embedded.ts'

let opened: Promise<RegionMaps> | undefined

/**
 * The packaged map for tests, which never changes: prepared once in the machine's temporary folder, and loaded once in
 * each worker. Any change to the adapter's code prepares it again.
 */
export function testMaps(): Promise<RegionMaps> {
  opened ??= openTestMaps()
  return opened
}

function openTestMaps(): Promise<RegionMaps> {
  const hash = createHash('sha256')
  const home = join(import.meta.dirname, 'embedded')
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) hash.update(readFileSync(join(home, name)))
  }
  const dataDir = join(tmpdir(), `hansom-test-maps-${hash.digest('hex').slice(0, 12)}`)
  return createEmbeddedMaps({ dataDir, log: { info: () => {} } })
}
