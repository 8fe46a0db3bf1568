import type { Told } from '@hansom/domain/safety/event'
import type { Pool } from 'pg'
import type { EventRow } from './store.ts'

export type StoredMoment = Told & { event_id: string }

export type StoredAlarm = EventRow & { acknowledged_name: string | null }

const alarmColumns = `e.*, (select n.name from user_names n where n.id = e.acknowledged_by) as acknowledged_name`

/** The most alarms of a list. */
const maxAlarms = 50

/** Open or closed alarms, newest first; of a fleet unless it is null. */
export async function readAlarms(
  pool: Pool,
  state: 'open' | 'closed',
  fleet: string | null,
): Promise<StoredAlarm[]> {
  const [condition, order] =
    state === 'open'
      ? [`state = 'alarm'`, 'alarm_at']
      : [`state = 'closed' and alarm_at is not null`, 'closed_at']
  const { rows } = await pool.query<StoredAlarm>({
    name: `safety-alarms-${state}`,
    text: `select ${alarmColumns} from safety_events e
      where ${condition} and ($1::uuid is null or fleetadmin = $1) order by ${order} desc limit ${maxAlarms}`,
    values: [fleet],
  })
  return rows
}

/** One alarm, open or closed. */
export async function readAlarm(pool: Pool, id: string): Promise<StoredAlarm | null> {
  const { rows } = await pool.query<StoredAlarm>(
    `select ${alarmColumns} from safety_events e where id = $1 and alarm_at is not null`,
    [id],
  )
  return rows[0] ?? null
}

/** The timelines of events, in order. */
export async function readMoments(pool: Pool, events: readonly string[]): Promise<StoredMoment[]> {
  const { rows } = await pool.query<StoredMoment>(
    `select m.event_id, m.at, m.what, m.by_user, n.name, m.note, m.lat, m.lng
      from safety_moments m left join user_names n on n.id = m.by_user
      where m.event_id = any($1::uuid[]) order by m.id`,
    [events],
  )
  return rows
}
