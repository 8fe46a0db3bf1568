// Builds the server and runs one of its commands: doctor, backup, restore, maps, ledger-check.
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build(['server'])
  const { runCommand } = await import(pathToFileURL(`${root}/apps/server/dist/commands.js`).href)
  // npm runs scripts in the project's folder.
  process.exit(await runCommand(process.argv.slice(2), process.env.INIT_CWD || root))
})
