import type { Database } from '../../platform/database/database.ts'

/** Drivers may return a trip repeatedly; each time a new booking replaces it. */
const maxRebookings = 20

/** A booking and those it replaced, or those that replaced it, in order. */
export async function followLinks(
  { pool }: Pick<Database, 'pool'>,
  booking: string,
  to: 'rebooked_from' | 'rebooked_as',
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with recursive chain as (
        select id, ${to} as next, 0 as step from booking_links where id = $1
        union all
        select b.id, b.${to}, c.step + 1 from booking_links b join chain c on b.id = c.next where c.step < $2)
      select id from chain order by step`,
    [booking, maxRebookings],
  )
  return rows.map(({ id }) => id)
}
