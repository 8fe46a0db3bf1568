// The command npm run cluster: several servers behind a balancer on this machine.
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root, stopWithNpm } from './run.mjs'

await main(async () => {
  // Same as in start.mjs: a relative DATA_DIR means the same folder.
  process.chdir(root)
  const args = process.argv.slice(2)
  // A restart is of the servers that run: what changed since they were built waits for the next start.
  if (args[0] !== 'restart') {
    await ensureDependencies()
    const { build } = await import('./build.mjs')
    await build()
    stopWithNpm()
  }
  process.setSourceMapsEnabled(true)
  const { runCluster } = await import(pathToFileURL(`${root}/apps/server/dist/cluster.js`).href)
  await runCluster(args, process.env)
})
