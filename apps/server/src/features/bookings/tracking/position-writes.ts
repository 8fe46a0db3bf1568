import type { Pool } from 'pg'
import type { Log } from '../../../platform/log/log.ts'
import { shownDriver, type WrittenMove } from '../live/fleet.ts'

interface Waiting {
  lat: number
  lng: number
  bearing: number | null
  at: number
}

/** Writes where drivers are into their rows, many at a time and a little later: only the newest of each counts. */
export class PositionWrites {
  private readonly waiting = new Map<string, Waiting>()
  private readonly pool: Pool
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private writing: Promise<void> = Promise.resolve()
  private readonly tell: (moves: readonly WrittenMove[]) => Promise<void>

  /** `tell` hears where those are now who are on the office's map. */
  constructor(pool: Pool, log: Log, tell: (moves: readonly WrittenMove[]) => Promise<void>, everyMs = 2_000) {
    this.pool = pool
    this.log = log
    this.tell = tell
    this.timer = setInterval(() => void this.flush(), everyMs)
    this.timer.unref()
  }

  put(driver: string, position: Waiting): void {
    const known = this.waiting.get(driver)
    if (!known || known.at < position.at) this.waiting.set(driver, position)
  }

  /** Writes what waits. What could not be written waits on, unless something newer came. */
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
    const batch = [...this.waiting].sort(([a], [b]) => (a < b ? -1 : 1))
    this.waiting.clear()
    try {
      const written = await this.pool.query<WrittenMove & { shown: boolean }>({
        name: 'write-positions',
        text: `with p as materialized (
            select * from unnest($1::uuid[], $2::float8[], $3::float8[], $4::float8[], $5::bigint[])
              as p(id, lat, lng, bearing, at)),
          mine as materialized (
            select u.id, u.located_at is null as is_first from users u join p on p.id = u.id
              order by u.id for no key update of u)
          update users u set lat = p.lat, lng = p.lng, bearing = p.bearing, located_at = p.at
            from p join mine on mine.id = p.id
            where u.id = p.id and (u.located_at is null or u.located_at < p.at)
            returning u.id as uid, u.lat, u.lng, u.bearing, u.located_at as at, u.fleetadmin,
              mine.is_first as "isFirst", ${shownDriver} as shown`,
        values: [
          batch.map(([id]) => id),
          batch.map(([, one]) => one.lat),
          batch.map(([, one]) => one.lng),
          batch.map(([, one]) => one.bearing),
          batch.map(([, one]) => one.at),
        ],
      })
      await this.tell(written.rows.flatMap(({ shown, ...move }) => (shown ? [move] : [])))
    } catch (error) {
      this.log.warn({ err: error, drivers: batch.length }, 'positions could not be written, trying again')
      for (const [driver, position] of batch) this.put(driver, position)
    }
  }
}
