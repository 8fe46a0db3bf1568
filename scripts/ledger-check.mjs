// Replays the ledger of the database at DATABASE_URL, or under DATA_DIR, and holds every balance against it.
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  // As the start does: a relative DATA_DIR means the same to both.
  process.chdir(root)
  await ensureDependencies()
  const command = ['--import', 'tsx', `${root}/apps/server/src/ledger-check.ts`]
  process.exit((await run(process.execPath, command)).code)
})
