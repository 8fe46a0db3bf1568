import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { root, run } from './run.mjs'

const folder = `${root}/node_modules/.cache/hansom`

/** Counts the results of several vitest runs and prints one summary at the end. */
export function createTally() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  /** @type {string[]} */
  const failures = []
  /** @type {string[]} */
  const notes = []
  return {
    counts,
    failures,
    /** Sentences about the run, printed with the totals. */
    notes,
    /**
     * Runs vitest once. A test file that fails to load counts as one failure.
     * @param {string} name of the report file
     * @param {string[]} args of vitest, such as projects and files
     * @param {{ node?: string, label?: string }} [options] `node`: the Node.js binary; `label`: prefix of reported failures
     */
    async runTests(name, args, { node = process.execPath, label = '' } = {}) {
      const file = `${folder}/${name}.json`
      mkdirSync(folder, { recursive: true })
      rmSync(file, { force: true })
      const { code } = await run(node, [
        `${root}/node_modules/vitest/vitest.mjs`,
        'run',
        ...args,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ])
      const result = readResult(file)
      counts.passed += result.numPassedTests
      counts.failed += code === 0 ? result.numFailedTests : Math.max(1, result.numFailedTests)
      counts.skipped += result.numPendingTests + result.numTodoTests
      failures.push(...namesOfFailed(result).map((failure) => label + failure))
    },
    /** Prints failures and totals last, where they are easy to find in a long log, and returns the exit code. */
    close() {
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
      for (const failure of failures) console.log(`failed: ${failure}`)
      for (const note of notes) console.log(note)
      console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`)
      return counts.failed > 0 || counts.passed === 0 ? 1 : 0
    },
  }
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
