import type { Pool } from 'pg'

/** True when a driver was told of a booking: asked for it once, also when no request is left by now. */
export async function wasTold(pool: Pool, booking: string, driver: string): Promise<boolean> {
  const reply = await pool.query({
    name: 'driver-was-told',
    text: 'select from user_notifications where user_id = $1 and booking_id = $2 limit 1',
    values: [driver, booking],
  })
  return reply.rowCount === 1
}
