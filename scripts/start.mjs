// The one command: installs and builds what is missing or has changed, then becomes the server.
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { main, root } from './run.mjs'

await main(async () => {
  // As npm does: a relative DATA_DIR means the same wherever it is started from.
  process.chdir(root)
  await ensureDependencies()
  const { build } = await import('./build.mjs')
  await build()
  stopWithNpm()
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(`${root}/apps/server/dist/main.js`).href)
})

/** A npm that was killed outright passes nothing on: the server stops by itself then. */
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
