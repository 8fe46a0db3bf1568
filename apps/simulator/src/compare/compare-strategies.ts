// Compares the strategies of dispatch on the same demand and writes a report: see docs/dispatch.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { StrategyFigures } from '@hansom/domain/dispatch/strategies'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { type CitySize, demandOf } from './demand.ts'
import { type FigureName, figureNames, figuresOf } from './figures.ts'
import { type Compared, markdown, meaning, reportPage } from './report.ts'
import { runEvening } from './run-evening.ts'

const awaited = { soonFreeMinutes: 5 }
const variants: Record<string, Partial<StrategyFigures>> = {
  Broadcast: { strategy: 'broadcast' },
  'Waves (default)': { strategy: 'waves' },
  'Nearest first': { strategy: 'nearest' },
  Batches: { strategy: 'batch' },
  'Nearest first, drivers finishing': { strategy: 'nearest', ...awaited },
  'Batches, drivers finishing': { strategy: 'batch', ...awaited },
  'The same, 2 min for an idle hour': { strategy: 'batch', ...awaited, fairness: 120 },
}

const usage = `npm run simulate -- --seeds 5 --drivers 105 --requests 140 --hours 3 --out data/dispatch-report.html

  --seeds     runs of each strategy, 1 to 10; from 3 on with confidence intervals
  --drivers   drivers at work, at most 2000
  --requests  riders an hour, at most 5000; twice as many in the middle third
  --hours     simulated hours, at most 24
  --out       the report's file`

const { seeds, size, out } = readOptions()
const all = Object.entries(variants).map(([name, changes]): Compared => {
  const figures = { ...defaultSettings.dispatch, ...changes }
  const runs = seeds.map((seed) => figuresOf(runEvening(demandOf(seed, size), figures)))
  process.stderr.write(`${name}\n`)
  const of = (one: FigureName) => runs.map((run) => run[one])
  return {
    name,
    figures: Object.fromEntries(figureNames.map((one) => [one, of(one)])) as Compared['figures'],
  }
})
// npm runs scripts in the project's folder.
const file = resolve(process.env.INIT_CWD || '.', out)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, reportPage(all, size))
process.stdout.write(`${markdown(all)}\n\n${meaning(seeds.length)}\n\n${file}\n`)

/** Ends the command with how to call it, for --help or if an option is wrong. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string', default: '5' },
        drivers: { type: 'string', default: '105' },
        requests: { type: 'string', default: '140' },
        hours: { type: 'string', default: '3' },
        out: { type: 'string', default: 'data/dispatch-report.html' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(`${usage}\n`)
      process.exit(0)
    }
    const size: CitySize = {
      drivers: whole('drivers', values.drivers, 2_000),
      requests: whole('requests', values.requests, 5_000),
      hours: whole('hours', values.hours, 24),
    }
    const seeds = Array.from({ length: whole('seeds', values.seeds, 10) }, (_, index) => index + 1)
    return { seeds, size, out: values.out }
  } catch (error) {
    process.stderr.write(`\n${(error as Error).message}\n\nExample: ${usage}\n\n`)
    process.exit(1)
  }
}

function whole(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new Error(`--${name} must be a whole number from 1 to ${most}`)
  return value
}
