import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { region } from './region.ts'

/** `message` can be printed as is. */
export class MapNotPreparedError extends Error {
  override name = 'MapNotPreparedError'
}

// A server running from source runs the child process from source too.
const isBundle = import.meta.url.endsWith('/main.js')
const program = fileURLToPath(
  new URL(isBundle ? 'prepare-process.js' : 'prepare-process.ts', import.meta.url),
)

/**
 * Prepares the map into `folder` in a separate process, so that its memory and blocking CPU time do not affect the
 * server. The child exits with this process. If it fails, `folder` is either complete or absent.
 */
export async function prepareMap(folder: string, log: { info(message: string): void }): Promise<void> {
  const began = performance.now()
  log.info(`Preparing the map of ${region.name} for the first time`)
  const child = fork(program, [folder], {
    execArgv: isBundle ? ['--enable-source-maps'] : ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let complaint = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    for (const step of text.trim().split('\n')) log.info(`Preparing the map: ${step}`)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  try {
    const reason = await new Promise<string | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code === 0 ? null : (signal ?? complaint.trim())))
    })
    if (reason !== null) {
      throw new MapNotPreparedError(
        `The map of ${region.name} could not be prepared: ${reason}\nStart the server again to retry; no partial files are left.`,
      )
    }
  } finally {
    process.off('exit', end)
  }
  log.info(
    `The map of ${region.name} is ready: ${((performance.now() - began) / 1000).toFixed(1)} s; later starts reuse it`,
  )
}
