import { type ContactLoss, lateStepsMs } from '@hansom/domain/bookings/effective-time'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'

/** A driver who was not heard from for this long was silent, ms: several positions are missing. */
const silentMs = 20_000

interface Contact {
  /** When the driver was last heard from, on the monotonic clock. */
  last: number
  silence: ContactLoss | null
}

/**
 * When the server heard from drivers, by positions and commands. It limits how far back a late step is accepted. Two
 * silences with a short contact between them count as one: a phone in a tunnel connects for moments.
 */
export class DriverContacts {
  private readonly byDriver = new Map<string, Contact>()
  private readonly clock: Pick<Clock, 'now' | 'elapsed'>

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.clock = clock
  }

  /** Records that a driver is heard from now; returns the last silence, or null. */
  recordContact(driver: string): ContactLoss | null {
    const silence = this.silenceOf(driver)
    this.byDriver.set(driver, { last: this.clock.elapsed(), silence })
    return silence
  }

  /** The last silence as it would be if the driver were heard from now. */
  silenceOf(driver: string): ContactLoss | null {
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

  /** After a server start, drivers on a trip were last heard from at their last position. */
  async load(pool: Pool): Promise<void> {
    const { rows } = await pool.query<{ id: string; located_at: number }>(
      `select id, located_at from user_facts where usertype = 'driver' and queue and located_at is not null`,
    )
    const ago = this.clock.elapsed() - this.clock.now()
    for (const { id, located_at } of rows) this.byDriver.set(id, { last: located_at + ago, silence: null })
  }
}
