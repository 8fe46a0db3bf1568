// Fills the database at DATABASE_URL, or under DATA_DIR, with a large city:
// npm run seed -- --bookings 1000000 --users 50000
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  await ensureDependencies()
  const command = ['--import', 'tsx', `${root}/apps/server/src/seed.ts`, ...process.argv.slice(2)]
  process.exit((await run(process.execPath, command)).code)
})
