import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createEmbeddedMaps } from '../embedded.ts'
import { formatVersion } from './region-store.ts'
import { sourceFingerprint } from './source/qa-tiles.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hansom-prepare-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const patience = { timeout: 60_000, interval: 20 }
const made = () => readdirSync(join(dataDir, 'maps'))
/** The process that prepares the map for the process `server`. */
const preparing = (server: number) =>
  vi.waitFor(() => {
    expect(made().join()).toContain(`.${server}.`)
    const children = execFileSync('pgrep', ['-P', String(server), '-f', 'prepare-process'], {
      encoding: 'utf8',
    })
    return Number(children)
  }, patience)

test('prepareMap: its process is killed -> startup fails and leaves no files', async () => {
  const opened = createEmbeddedMaps({ dataDir, log: { info: () => {} } })
  const failed = expect(opened).rejects.toThrow('could not be prepared: SIGKILL')
  const pid = await preparing(process.pid)
  expect(pid).not.toBe(process.pid)
  process.kill(pid, 'SIGKILL')
  await failed
  expect(made()).toEqual([])
}, 90_000)

const server = (end: string) => `
  import { createEmbeddedMaps } from '${import.meta.dirname}/../embedded.ts'
  ${end}
  await createEmbeddedMaps({ dataDir: '${dataDir}', log: { info: () => {} } })`
const run = (program: string): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { stdio: 'inherit' })

test.each([
  ['SIGTERM', `process.on('SIGTERM', () => process.exit(0))`],
  ['SIGKILL', ''],
] as const)(
  'prepareMap: the server gets %s -> both processes exit',
  async (signal, end) => {
    const child = run(server(end))
    const pid = await preparing(child.pid as number)
    child.kill(signal)
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience)
  },
  90_000,
)

test('prepareMap: damaged folder and one of an older version -> rebuilt and cleaned up, then reused', async () => {
  mkdirSync(join(dataDir, 'maps', '8-000000000000'))
  const damaged = join(dataDir, 'maps', 'montevideo')
  mkdirSync(damaged)
  const file = { format: formatVersion, version: sourceFingerprint(), extract: null }
  writeFileSync(join(damaged, 'region.json'), JSON.stringify(file))
  const lines: string[] = []
  const open = () => createEmbeddedMaps({ dataDir, log: { info: (line) => lines.push(line) } })
  const maps = await open()
  expect(made()).toEqual(['montevideo'])
  expect(lines[0]).toContain('cannot be read')
  expect(lines).toContain('Preparing the map: streets')
  expect(await maps.address({ lat: -34.9067, lng: -56.1997 })).not.toBeNull()
  lines.length = 0
  await open()
  expect(lines).toEqual([])
}, 90_000)
