// Runs all checks and tests, with their setup. One part only: npm test -- --only=check|unit|db|ui|e2e
import { ensureDependencies } from './dependencies.mjs'
import { main, SetupError } from './run.mjs'
import { createTally } from './run-vitest.mjs'

const parts = ['check', 'unit', 'db', 'ui', 'e2e']
const projects = { unit: 'pure*', db: ['db', 'delivery'], ui: 'web*', e2e: 'e2e' }
const tally = createTally()

await main(async () => {
  const wanted = readWanted()
  await ensureDependencies()
  if (wanted.includes('check')) await runChecks()
  if (wanted.includes('e2e')) {
    const { build } = await import('./build.mjs')
    await build()
  }
  if (wanted.includes('unit') || wanted.includes('db')) {
    const { ensurePgBouncer, ensureRedis } = await import('./debian.mjs')
    for (const leftOut of [await ensureRedis(), await ensurePgBouncer()])
      if (leftOut !== null) tally.notes.push(leftOut)
  }
  const quick = wanted.filter((part) => part !== 'check' && part !== 'e2e')
  if (quick.length > 0) await runTests(quick)
  if (wanted.includes('e2e')) {
    const { ensureBrowser } = await import('./browser.mjs')
    await ensureBrowser()
    await runTests(['e2e'])
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

async function runChecks() {
  const { check } = await import('./check.mjs')
  const results = await check()
  tally.counts.passed += results.filter(Boolean).length
  const failed = results.filter((good) => !good).length
  tally.counts.failed += failed
  if (failed > 0) tally.failures.push(`${failed} of the initial checks`)
}

/** @param {string[]} names parts that vitest runs together */
function runTests(names) {
  return tally.runTests(
    names.join('-'),
    names.flatMap((name) => [projects[name]].flat().flatMap((project) => ['--project', project])),
  )
}
