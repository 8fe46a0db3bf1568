// The command npm run doctor: examines the installation and says what to mend.
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
  const { engines } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const { runDoctorCommand } = await import(pathToFileURL(`${root}/apps/server/dist/doctor-command.js`).href)
  const code = await runDoctorCommand({
    variables: process.env,
    workingFolder: root,
    nodeVersion: process.versions.node,
    oldestNode: engines.node.replace('>=', ''),
  })
  process.exit(code)
})
