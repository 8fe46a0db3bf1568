import type { Log } from './platform/log/log.ts'

/** The process exits after this time even if something hangs. */
const patienceMs = 4_500

/**
 * Shuts down cleanly on SIGTERM or SIGINT, once: the same signal often arrives twice, from the terminal and from npm.
 */
export function onStopSignal(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const begin = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.warn('shutdown timed out')
      process.exit(1)
    }, patienceMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
