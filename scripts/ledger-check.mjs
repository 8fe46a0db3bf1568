// Replays the ledger of the database at DATABASE_URL, or under DATA_DIR, and compares it with every balance.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  await ensureDependencies()
  const command = ['--import', 'tsx', `${root}/apps/server/src/ledger-check.ts`]
  process.exit((await run(process.execPath, command)).code)
})
