// The commands for backups: npm run backup -- [folder], npm run restore -- folder [--overwrite].
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build(['server'])
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const { runBackupCommand } = await import(pathToFileURL(`${root}/apps/server/dist/backup.js`).href)
  // npm runs scripts in the project's folder.
  const typedIn = process.env.INIT_CWD || root
  process.exit(await runBackupCommand({ args: process.argv.slice(2), typedIn, version }))
})
