// Runs the tests that take minutes, those that npm test runs in part, every page in every appearance and language, journeys with
// deliveries, and the tests on Node.js 24. One part only: npm run test:long -- --only=long|rounds|looks|overflow|delivery|node24
// Further arguments limit the long tests to files whose path contains one of them.
import { readdirSync, readFileSync } from 'node:fs'
import { ensureDependencies } from './dependencies.mjs'
import { main, SetupError } from './run.mjs'
import { createTally } from './run-vitest.mjs'

const parts = ['long', 'rounds', 'looks', 'overflow', 'delivery', 'node24']
/** Races, random inputs and long ways that `npm test` repeats less often: the tests that import test-rounds.ts. */
const inRounds = () =>
  readdirSync('apps/server/src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.db.test.ts'))
    .map((name) => `apps/server/src/${name}`)
    .filter((file) => readFileSync(file, 'utf8').includes('/test-rounds.ts'))
/** The browser test that covers most of the product. */
const journey = 'e2e/whole-trip.spec.ts'

await main(async () => {
  const wanted = readWanted()
  const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
  const tally = createTally()
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build()
  process.env.HANSOM_ALL = '1'
  if (wanted.includes('long'))
    await tally.runTests('long', ['--project', 'long', '--project', 'delivery-long', ...files])
  const { ensureBrowser } = await import('./browser.mjs')
  if (wanted.includes('rounds')) await tally.runTests('rounds', ['--project', 'db', ...inRounds()])
  if (wanted.includes('looks')) {
    await ensureBrowser()
    const files = ['screens', 'profile', 'texts'].map((name) => `e2e/${name}.spec.ts`)
    await tally.runTests('looks', ['--project', 'e2e', ...files])
  }
  delete process.env.HANSOM_ALL
  if (wanted.includes('overflow')) {
    await ensureBrowser()
    await tally.runTests('overflow', ['--project', 'overflow*'])
  }
  if (wanted.includes('delivery')) {
    await ensureBrowser()
    await tally.runTests('delivery', ['--project', 'delivery-e2e'])
  }
  if (wanted.includes('node24')) {
    const { ensureNode24 } = await import('./node-24.mjs')
    const options = { node: await ensureNode24(), label: 'node 24: ' }
    await tally.runTests('node24', ['--project', 'pure*', '--project', 'db'], options)
    await ensureBrowser()
    await tally.runTests('node24-e2e', ['--project', 'e2e', journey], options)
  }
  process.exit(tally.close())
})

function readWanted() {
  const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
  if (only === undefined) return parts
  const wanted = only.split(',')
  const unknown = wanted.filter((part) => !parts.includes(part))
  if (unknown.length > 0)
    throw new SetupError(`Unknown --only value: ${unknown.join(', ')}. Available: ${parts.join(', ')}.`)
  return wanted
}
