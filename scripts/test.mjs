// Everything that is checked, with its own set-up. One part alone: npm test -- --only=check|unit|db|ui|e2e
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run, SetupError } from './run.mjs'

const parts = ['check', 'unit', 'db', 'ui', 'e2e']
const projects = { unit: 'pure', db: 'db', ui: 'web', e2e: 'e2e' }
const tally = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []

await main(async () => {
  const wanted = readWanted()
  await ensureDependencies()
  if (wanted.includes('check')) await runChecks()
  if (wanted.includes('e2e')) {
    const { build } = await import('./build.mjs')
    await build()
  }
  const quick = wanted.filter((part) => part !== 'check' && part !== 'e2e')
  if (quick.length > 0) await runTests(quick)
  if (wanted.includes('e2e')) {
    const { ensureBrowser } = await import('./browser.mjs')
    await ensureBrowser()
    await runTests(['e2e'])
  }
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''
  // Named once more at the very end: of a long log the end is what is read.
  for (const failure of failures) console.log(`failed: ${failure}`)
  console.log(`\n${tally.passed} passed, ${tally.failed} failed${skipped}`)
  process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0)
})

function readWanted() {
  const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
  if (only === undefined) return parts
  const wanted = only.split(',')
  const unknown = wanted.filter((part) => !parts.includes(part))
  if (unknown.length > 0) throw new SetupError(`--only knows ${parts.join(', ')}; not ${unknown.join(', ')}.`)
  return wanted
}

async function runChecks() {
  const { check } = await import('./check.mjs')
  const results = await check()
  tally.passed += results.filter(Boolean).length
  const failed = results.filter((good) => !good).length
  tally.failed += failed
  if (failed > 0) failures.push(`${failed} of the checks at the beginning`)
}

/** @param {string[]} names parts that vitest runs, together */
async function runTests(names) {
  const folder = `${root}/node_modules/.cache/hansom`
  const file = `${folder}/${names.join('-')}.json`
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  const { code } = await run(process.execPath, [
    `${root}/node_modules/vitest/vitest.mjs`,
    'run',
    ...names.flatMap((name) => ['--project', projects[name]]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const result = readResult(file)
  // A file that could not even be loaded has no failed test in it.
  const failed = code === 0 ? result.numFailedTests : Math.max(1, result.numFailedTests)
  tally.passed += result.numPassedTests
  tally.failed += failed
  tally.skipped += result.numPendingTests + result.numTodoTests
  failures.push(...namesOfFailed(result))
}

function readResult(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  }
}

/**
 * @param {{ testResults: { name: string, status: string, message: string,
 *   assertionResults: { fullName: string, status: string, failureMessages: string[] }[] }[] }} result
 */
function namesOfFailed({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = name.replace(`${root}/`, '')
      const tests = assertionResults.filter(({ status }) => status === 'failed')
      if (tests.length === 0) return [`${file}: ${firstLine(message)}`]
      return tests.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0] ?? '')}`)
    })
}

function firstLine(/** @type {string} */ text) {
  return text.split('\n')[0]?.slice(0, 300)
}
