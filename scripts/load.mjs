// Plays riders and drivers at a fixed rate on a demo of one's own: npm run load -- --rate 2 --drivers 50 --minutes 1.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  await ensureDependencies()
  const file = `${root}/bench/load/command.ts`
  process.exit((await run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)])).code)
})
