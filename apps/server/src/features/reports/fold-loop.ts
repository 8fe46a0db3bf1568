import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { foldReports, rebuildReports, zoneOfReports } from './store/fold.ts'

export interface FoldDeps {
  database: Database
  log: Log
  settings: { current(): Promise<{ timezone: string }> }
}

/** Folds report sums periodically until stopped. The figures are correct however late it runs. */
export class FoldLoop {
  private readonly deps: FoldDeps
  private readonly everyMs: number
  private timer: NodeJS.Timeout | null = null
  private round: Promise<void> = Promise.resolve()

  constructor(deps: FoldDeps, everyMs = 3_000) {
    this.deps = deps
    this.everyMs = everyMs
  }

  start(): void {
    this.timer = setInterval(() => void this.fold(), this.everyMs)
    this.timer.unref()
    void this.fold()
  }

  /** Waits for the current round. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    await this.round
  }

  /** Runs one round after earlier ones: applies the city's time zone, then new changes. */
  fold(): Promise<void> {
    this.round = this.round.then(() => this.once())
    return this.round
  }

  private async once(): Promise<void> {
    const { database, log, settings } = this.deps
    try {
      const { timezone } = await settings.current()
      if ((await zoneOfReports(database.pool)) !== timezone) {
        await rebuildReports(database, timezone)
        log.info({ timezone }, 'reports rebuilt for another time zone')
      }
      await foldReports(database.pool)
    } catch (error) {
      log.warn({ err: error }, 'failed to update the report sums, will retry')
    }
  }
}
