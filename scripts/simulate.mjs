// Compares the strategies of dispatch on the same demand: npm run simulate -- --seeds 5 --drivers 105.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  await ensureDependencies()
  const file = `${root}/apps/simulator/src/compare/compare-strategies.ts`
  process.exit((await run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)])).code)
})
