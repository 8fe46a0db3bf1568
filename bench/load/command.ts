import { parseArgs } from 'node:util'
import { checkUrl, LoadRefused, openDemo } from './demo-city.ts'
import { openLoop, quantile } from './open-loop.ts'
import { People } from './people.ts'

/** The command `npm run load`: trips at a fixed rate on a demo of one's own. */

const usage = `npm run load -- --url http://127.0.0.1:8080 --rate 2 --drivers 50 --minutes 1`
const limits = { rate: 20, drivers: 100, minutes: 60 }
/** A trip lasts a few seconds, longer on a busy server. */
const ridersOf = (rate: number) => Math.min(100, Math.max(10, Math.ceil(20 * rate)))

try {
  const options = optionsOf(process.argv.slice(2))
  await run(options)
} catch (error) {
  if (!(error instanceof LoadRefused)) throw error
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}

function optionsOf(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = (() => {
    try {
      return parseArgs({ args, options: { url: text, rate: text, drivers: text, minutes: text } })
    } catch (error) {
      throw new LoadRefused(`${(error as Error).message}\n${usage}`)
    }
  })()
  const number = (name: keyof typeof limits, otherwise: number) => {
    const value = Number(values[name] ?? otherwise)
    const isGood = value > 0 && value <= limits[name] && (name !== 'drivers' || Number.isInteger(value))
    if (!isGood) throw new LoadRefused(`--${name} is above 0 and at most ${limits[name]}: ${usage}`)
    return value
  }
  return {
    url: checkUrl(values.url ?? 'http://127.0.0.1:8080'),
    rate: number('rate', 2),
    drivers: number('drivers', 50),
    minutes: number('minutes', 1),
  }
}

async function run({ url, rate, drivers, minutes }: ReturnType<typeof optionsOf>): Promise<void> {
  const riders = ridersOf(rate)
  console.log(`Signing in ${riders} riders and ${drivers} drivers at ${url} …`)
  const demo = await openDemo(url, { riders, drivers })
  const people = await People.of(demo.target, demo.riders, demo.drivers)
  console.log(`${rate} new trips a second for ${minutes} min …`)
  const failures = new Map<string, number>()
  const { waits, failed } = await openLoop(
    { rate, seconds: minutes * 60 },
    () => people.trip(),
    (error) => {
      const reason = error instanceof Error ? error.message.split(':', 1).join() : String(error)
      failures.set(reason, (failures.get(reason) ?? 0) + 1)
    },
  )
  people.close()
  const line = (name: string, times: readonly number[], refused = '') => [
    name,
    String(times.length),
    refused,
    ...[0.5, 0.99].map((share) => String(Math.round(quantile(times, share)))),
  ]
  const refusals = (name: string) =>
    [...people.refused].reduce((sum, [kind, count]) => (kind.startsWith(`${name} `) ? sum + count : sum), 0)
  printTable([
    ['command', 'acknowledged', 'refused', 'p50 ms', 'p99 ms'],
    ...Object.entries(people.took).map(([name, times]) => line(name, times, String(refusals(name)))),
    line('until a driver accepted', people.untilAccepted),
    line('whole trip, from its planned time', waits),
  ])
  console.log(`
${waits.length} trips complete, ${failed} failed; ${people.positions} positions acknowledged; ${people.frames} live frames seen.`)
  for (const [reason, count] of failures) console.log(`  ${count} times: ${reason}`)
  console.log('An accept is refused when another driver was faster.')
}

/** Columns of equal width; numbers end at the right. */
function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
}
