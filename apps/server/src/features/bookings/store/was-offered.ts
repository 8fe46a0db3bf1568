import type { Pool } from 'pg'

/** True if a driver was ever asked for a booking, even if no request is left. */
export async function wasOffered(pool: Pool, booking: string, driver: string): Promise<boolean> {
  const reply = await pool.query({
    name: 'driver-was-told',
    text: 'select from user_notifications where user_id = $1 and booking_id = $2 limit 1',
    values: [driver, booking],
  })
  return reply.rowCount === 1
}
