// The commands for maps: npm run maps:import -- city.osm.pbf, maps:list, maps:use, maps:remove.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build(['server'])
  const { runMapsCommand } = await import(pathToFileURL(`${root}/apps/server/dist/maps.js`).href)
  process.exitCode = await runMapsCommand({
    args: process.argv.slice(2),
    dataDir: resolve(process.env.DATA_DIR?.trim() || './data'),
    // npm runs scripts in the project's folder.
    typedIn: process.env.INIT_CWD || root,
  })
})
