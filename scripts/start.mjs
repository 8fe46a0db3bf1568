// The start command: installs and builds what is missing or changed, then becomes the server.
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root } from './run.mjs'

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

/** Stops the server when npm exits: a killed npm forwards no signal. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 1000)
  timer.unref()
}
