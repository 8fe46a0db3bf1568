// Takes the demo out of the database at DATABASE_URL, or under DATA_DIR, so that it can serve in earnest.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  // As the start does: a relative DATA_DIR means the same to both.
  process.chdir(root)
  await ensureDependencies()
  const command = ['--import', 'tsx', `${root}/apps/server/src/remove-demo.ts`, ...process.argv.slice(2)]
  process.exit((await run(process.execPath, command)).code)
})
