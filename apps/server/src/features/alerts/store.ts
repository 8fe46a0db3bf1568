import type { AlertCount } from '@hansom/contract/alerts'
import type { Actor } from '@hansom/domain/access/relation'
import { type AlertKind, alertKindsOf, maxAlertCount } from '@hansom/domain/alerts/alerts'
import type { Pool } from 'pg'

/** The statements that select the open matters of a kind. */
const openMatters: Partial<Record<AlertKind, string>> = {
  withdrawal: 'select null::uuid as fleetadmin from undecided_withdrawals',
}

/** The number of open matters that an actor may settle, by kind. */
export async function countAlerts(pool: Pool, actor: Actor): Promise<AlertCount[]> {
  const parts = alertKindsOf(actor.role).flatMap((kind) => {
    const matters = openMatters[kind]
    const own = actor.role === 'admin' ? '$1::uuid is not null' : 'fleetadmin = $1'
    return matters === undefined
      ? []
      : `select '${kind}' as kind, count(*)::int as count
          from (select from (${matters}) open where ${own} limit ${maxAlertCount}) counted`
  })
  if (parts.length === 0) return []
  const { rows } = await pool.query<AlertCount>(parts.join(' union all '), [actor.id])
  return rows.filter(({ count }) => count > 0)
}
