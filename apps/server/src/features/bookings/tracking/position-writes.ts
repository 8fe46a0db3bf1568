import { fleetFreshMs } from '@hansom/domain/users/eligibility'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import { writePositions } from '../../users/drivers.ts'
import type { WrittenMove } from '../live/fleet.ts'
import { clockToleranceMs } from './filter-positions.ts'

interface Waiting {
  lat: number
  lng: number
  bearing: number | null
  at: number
}

export interface PositionWritesDeps {
  database: Pick<Database, 'withTransaction'>
  log: Log
  clock: Pick<Clock, 'now'>
}

/** Driver rows that one statement locks, for a few milliseconds. */
const batchSize = 500

/**
 * Writes driver positions to their rows in delayed batches: only each driver's newest counts. Locked rows are skipped
 * and retried in the next round, so a write never waits for a lock and holds no lock while waiting.
 */
export class PositionWrites {
  private readonly waiting = new Map<string, Waiting>()
  private readonly deps: PositionWritesDeps
  private readonly timer: NodeJS.Timeout
  private writing: Promise<void> = Promise.resolve()
  private readonly publish: (moves: readonly WrittenMove[]) => Promise<void>

  /** `publish` gets the written positions of drivers who are on the admin map. */
  constructor(
    deps: PositionWritesDeps,
    publish: (moves: readonly WrittenMove[]) => Promise<void>,
    everyMs = 2_000,
  ) {
    this.deps = deps
    this.publish = publish
    this.timer = setInterval(() => void this.flush(), everyMs)
    this.timer.unref()
  }

  put(driver: string, position: Waiting): void {
    const known = this.waiting.get(driver)
    if (!known || known.at < position.at) this.waiting.set(driver, position)
  }

  /** Writes pending positions. Failed ones remain pending unless a newer one has arrived. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write())
    return this.writing
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.flush()
  }

  private async write(): Promise<void> {
    if (this.waiting.size === 0) return
    const all = [...this.waiting]
    this.waiting.clear()
    const moves: WrittenMove[] = []
    for (let start = 0; start < all.length; start += batchSize) {
      const batch = all.slice(start, start + batchSize)
      try {
        const written = await this.writeBatch(batch)
        moves.push(...written.moves)
        this.putBack(batch.filter(([driver]) => written.locked.has(driver)))
      } catch (error) {
        const { log } = this.deps
        log.warn({ err: error, drivers: all.length - start }, 'failed to write positions, will retry')
        this.putBack(all.slice(start))
        break
      }
    }
    if (moves.length === 0) return
    await this.publish(moves).catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'failed to publish positions to the map'),
    )
  }

  private putBack(batch: readonly [string, Waiting][]): void {
    for (const [driver, position] of batch) this.put(driver, position)
  }

  private async writeBatch(batch: readonly [string, Waiting][]) {
    const { database, clock } = this.deps
    const positions = batch.map(([driver, position]) => ({ driver, ...position }))
    const now = clock.now()
    // In a transaction: a replaced server must not overwrite newer positions.
    const { written, locked } = await database.withTransaction((tx) =>
      writePositions(tx, positions, { latest: now + clockToleranceMs, silentSince: now - fleetFreshMs }),
    )
    return {
      moves: written.flatMap(({ isOnMap, ...move }): WrittenMove[] => (isOnMap ? [move] : [])),
      locked,
    }
  }
}
