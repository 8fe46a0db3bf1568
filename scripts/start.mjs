// The start command: installs and builds what is missing or changed, then becomes the server.
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root, stopWithNpm } from './run.mjs'

await main(async () => {
  // Same as npm: a relative DATA_DIR means the same folder wherever the command is run.
  process.chdir(root)
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build()
  stopWithNpm()
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(`${root}/apps/server/dist/main.js`).href)
})
