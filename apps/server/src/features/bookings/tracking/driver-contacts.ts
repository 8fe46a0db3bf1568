import { lateStepsMs, type Silence } from '@hansom/domain/bookings/moment'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'

/** A driver who was not heard for this long was silent, ms: several positions have not come then. */
const silentMs = 20_000

interface Contact {
  /** When the driver was heard last, by the clock that never jumps. */
  last: number
  silence: Silence | null
}

/**
 * When the server heard from drivers: by positions and commands. It says how far back a late step is believed. Two silences
 * with a short contact between them are one: a phone in a tunnel is heard for moments.
 */
export class DriverContacts {
  private readonly byDriver = new Map<string, Contact>()
  private readonly clock: Pick<Clock, 'now' | 'elapsed'>

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.clock = clock
  }

  /** Notes that a driver is heard now; answers with the last silence, or null. */
  heard(driver: string): Silence | null {
    const silence = this.silenceOf(driver)
    this.byDriver.set(driver, { last: this.clock.elapsed(), silence })
    return silence
  }

  /** The last silence as it would be if the driver were heard now. */
  silenceOf(driver: string): Silence | null {
    const known = this.byDriver.get(driver)
    if (!known) return null
    const now = this.clock.now()
    const length = this.clock.elapsed() - known.last
    if (length < silentMs) return known.silence
    const from = now - length
    const before = known.silence
    const isOne = before !== null && from - before.to < lateStepsMs
    return { from: isOne ? before.from : from, to: now }
  }

  /** After a start: drivers with a trip were last heard when they were last seen. */
  async load(pool: Pool): Promise<void> {
    const { rows } = await pool.query<{ id: string; located_at: number }>(
      `select id, located_at from users where usertype = 'driver' and queue and located_at is not null`,
    )
    const ago = this.clock.elapsed() - this.clock.now()
    for (const { id, located_at } of rows) this.byDriver.set(id, { last: located_at + ago, silence: null })
  }
}
