// Removes the demo from the database at DATABASE_URL, or under DATA_DIR, so that it can be used in production.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  await ensureDependencies()
  const command = ['--import', 'tsx', `${root}/apps/server/src/remove-demo.ts`, ...process.argv.slice(2)]
  process.exit((await run(process.execPath, command)).code)
})
