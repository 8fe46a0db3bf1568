// Runs the benchmarks one by one: prints a JSON line per job, then a table. To run some:
// npm run bench -- nearest fanout
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { ensureDependencies } from './dependencies.mjs'
import { main, root, SetupError } from './run.mjs'

/** @typedef {{ job: string, unit: string, ours: number, peer: number, peer_name: string, ratio: number }} Line */

await main(async () => {
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build()
  /** @type {Line[]} */
  const lines = []
  const failed = []
  for (const name of chooseJobs()) {
    const results = await runJob(name)
    if (results === undefined) failed.push(name)
    for (const { job, unit, ours, peer, peer_name, ratio } of results ?? []) {
      console.log(JSON.stringify({ job, unit, ours, peer, peer_name, ratio }))
      lines.push({ job, unit, ours, peer, peer_name, ratio })
    }
  }
  printTable(lines)
  if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}`)
})

function chooseJobs() {
  const all = readdirSync(`${root}/bench`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) =>
      /^export (async )?(function|const) run\b/m.test(readFileSync(`${root}/bench/${file}`, 'utf8')),
    )
    .map((file) => file.slice(0, -3))
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !all.includes(name))
  if (all.length === 0 || unknown.length > 0) {
    throw new SetupError(`Unknown benchmark: ${unknown.join(', ')}. Available: ${all.join(', ')}.`)
  }
  return wanted.length > 0 ? wanted : all
}

/** @param {string} name @returns {Promise<Line[] | undefined>} undefined when it failed */
function runJob(name) {
  return new Promise((resolve) => {
    const args = [
      '--import',
      'tsx',
      '--expose-gc',
      `${root}/scripts/bench-job.mjs`,
      `${root}/bench/${name}.ts`,
    ]
    // Other output of a job goes to stderr: stdout contains only the JSON lines.
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 'inherit', 'ipc'] })
    /** @type {Line[] | undefined} */
    let results
    child.on('message', (message) => {
      results = /** @type {Line[]} */ (message)
    })
    child.once('close', (code) => resolve(code === 0 ? results : undefined))
  })
}

/** @param {Line[]} lines */
function printTable(lines) {
  const number = (/** @type {number} */ value) => value.toLocaleString('en', { maximumSignificantDigits: 4 })
  const rows = [
    ['job', 'ours', 'peer', 'ratio', 'unit', 'peer is'],
    ...lines.map((line) => [
      line.job,
      number(line.ours),
      number(line.peer),
      line.ratio.toFixed(2),
      line.unit,
      line.peer_name,
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  console.log()
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
}
