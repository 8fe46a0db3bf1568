import { parentPort, workerData } from 'node:worker_threads'
import { prepare } from './prepare.ts'
import type { PrepareProgress, PrepareTask } from './prepare-region.ts'
import { ExtractError } from './source/pbf-blocks.ts'

/** Prepares a region, as a forked process or as a thread; see `prepare-region.ts`. */
const send = (message: PrepareProgress | { failed: string }): void => {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}
const task = (parentPort ? workerData : JSON.parse(process.argv[2] ?? '{}')) as PrepareTask
const parent = process.ppid

try {
  await prepare(task, (progress) => {
    // This process blocks its event loop, so it checks its parent's pid to detect that the server was killed.
    if (!parentPort && process.ppid !== parent) process.exit(1)
    send(progress)
  })
  process.disconnect?.()
} catch (error) {
  if (!(error instanceof ExtractError)) throw error
  send({ failed: error.message })
  process.exitCode = 1
  process.disconnect?.()
}
