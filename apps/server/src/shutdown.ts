import type { Log } from './platform/log/log.ts'

/** The process is gone after this, whatever still hangs. */
const patienceMs = 4_500

/**
 * Stops in good order on TERM and on an interrupt, once: the same signal often comes twice, from the terminal and
 * from npm.
 */
export function onStopSignal(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const begin = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.warn('not everything stopped in time')
      process.exit(1)
    }, patienceMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
