// Measures how Hansom scales and writes docs/scale.md, with its charts, from the figures: npm run scale.
// To measure some parts again and keep the rest: npm run scale -- trips search.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build()
  const file = `${root}/bench/scale/measure.ts`
  process.exit((await run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)])).code)
})
