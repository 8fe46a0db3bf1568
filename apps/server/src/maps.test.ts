import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { runMapsCommand } from './maps.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hansom-maps-command-'))
const fixtures = join(import.meta.dirname, '../fixtures')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

/** Runs a command; returns its exit code and everything it printed. */
async function run(...args: string[]): Promise<{ code: number; printed: string }> {
  let printed = ''
  const print = (text: unknown) => {
    printed += String(text)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(print)
  vi.spyOn(process.stderr, 'write').mockImplementation(print)
  const code = await runMapsCommand({ args, dataDir, typedIn: fixtures })
  return { code, printed }
}

it('maps commands: import, list, use, remove -> each says what it did', async () => {
  const imported = await run('import', 'vaduz.osm.pbf')
  expect(imported.code).toBe(0)
  for (const text of ['Imported Vaduz', 'Liechtenstein (LI)', 'Europe/Vaduz', 'CHF', 'German', 'left'])
    expect(imported.printed).toContain(text)
  // Nothing else is in the folder, so the next start serves it.
  expect((await run('list')).printed).toMatch(/^\* vaduz +Vaduz, LI, Europe\/Vaduz, from vaduz.osm.pbf/)
  expect((await run('import', 'vaduz.osm.pbf', '--name', 'home-town')).printed).toContain(
    `DATA_DIR=${dataDir} npm run maps:use -- home-town`,
  )
  expect(await run('remove', 'vaduz')).toMatchObject({ code: 1, printed: expect.stringContaining('in use') })
  expect(await run('use', 'home-town')).toMatchObject({ code: 0 })
  expect(await run('remove', 'vaduz')).toMatchObject({ code: 0 })
  expect((await run('list')).printed).toMatch(/^\* home-town +Home Town/)
}, 60_000)

it.each([
  ['no command', [], 'Usage'],
  ['no file', ['import'], 'Usage'],
  ['unknown option', ['import', 'vaduz.osm.pbf', '--fast'], 'Usage'],
  ['missing file', ['import', 'monaco.osm.pbf'], 'does not exist'],
  ['name with a slash', ['import', 'vaduz.osm.pbf', '--name', '../etc'], 'cannot name a map'],
  ['not an extract', ['import', 'README.md'], 'not an OpenStreetMap extract'],
  ['unknown map to use', ['use', 'monaco'], 'no usable map'],
  ['unknown map to remove', ['remove', '../maps'], 'no map'],
])('maps commands: %s -> refused with the reason', async (_, args, reason) => {
  const { code, printed } = await run(...args)
  expect(code).toBe(1)
  expect(printed).toContain(reason)
})

it('maps commands: empty file -> refused, nothing stored', async () => {
  writeFileSync(join(dataDir, 'empty.osm.pbf'), '')
  const { code, printed } = await run('import', join(dataDir, 'empty.osm.pbf'))
  expect([code, printed]).toEqual([1, expect.stringContaining('empty')])
  expect((await run('list')).printed).not.toContain('empty')
})
