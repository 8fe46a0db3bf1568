import { liveTopics, type TableChanges } from '@hansom/contract/live'
import { can } from '@hansom/domain/access/permissions'
import {
  tableOfRole,
  tablesOfKind,
  type WatchedTable,
  watchedTables,
} from '@hansom/domain/audit/record-kinds'
import { type Role, roles } from '@hansom/domain/users/roles'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import { channelName } from '../../platform/live/channels.ts'
import type { TopicRegistry } from '../../platform/live/topics.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type TableChange, tableChangedKind } from '../../platform/tables/table.ts'
import { userChanged } from '../users/user-changed.ts'

export interface TableChangesDeps {
  topics: TopicRegistry
  hub: { publish(channel: string, data: unknown): void }
  outbox: Outbox
}

/** All admins share one channel; a fleet admin gets changes of their drivers. */
const admins = 'admin'
const channelOf = (audience: string) => channelName(liveTopics.office, audience)

/** Serves the live topic of the admin tables, and publishes committed changes: audited ones and users' own. */
export function publishTableChanges({ topics, hub, outbox }: TableChangesDeps): void {
  topics.register('office', {
    authorize: async (actor) =>
      mayFollow(actor) ? { channel: channelOf(actor.role === 'admin' ? admins : actor.id) } : null,
    // Missed changes are unknown, so every open table reloads.
    snapshot: async (actor): Promise<TableChanges> => ({
      tables: actor?.role === 'admin' ? [...watchedTables] : ['drivers', 'alerts', 'safety'],
    }),
  })

  /** `left` contains the previous fleet admins of these drivers. */
  const publish = async (
    tx: Transaction,
    people: readonly string[],
    changed: readonly WatchedTable[],
    left: string[] = [],
  ) => {
    const tables = new Set(changed)
    const fleets = new Set(left)
    for (const { usertype, fleetadmin } of await readUserTables(tx, people)) {
      tables.add(tableOfRole[usertype])
      if (fleetadmin !== null) fleets.add(fleetadmin)
    }
    if (tables.size > 0) hub.publish(channelOf(admins), { tables: [...tables] } satisfies TableChanges)
    for (const fleet of fleets) hub.publish(channelOf(fleet), { tables: ['drivers'] } satisfies TableChanges)
  }

  outbox.onBatch(tableChangedKind, (events, tx) => {
    const changes = events.map(({ payload }) => payload as TableChange)
    const tables = changes.flatMap((one) => ('tables' in one ? one.tables : tablesOfKind(one.kind)))
    const people = changes.flatMap((one) =>
      'kind' in one && one.kind === 'user' && one.person ? [one.person] : [],
    )
    for (const one of changes) {
      if (!('tables' in one)) continue
      for (const fleet of one.fleets ?? [])
        hub.publish(channelOf(fleet), { tables: one.tables } satisfies TableChanges)
    }
    return publish(tx, people, tables)
  })

  outbox.onBatch(userChanged, (events, tx) => {
    const changes = events.map(
      ({ payload }) => payload as { user: string; rights: boolean; left: string | null },
    )
    // After a change of user type, the user's previous table is unknown, so all of them reload.
    const allUserTables = changes.some(({ rights }) => rights) ? roles.map((role) => tableOfRole[role]) : []
    return publish(
      tx,
      changes.map(({ user }) => user),
      allUserTables,
      changes.flatMap(({ left }) => left ?? []),
    )
  })
}

function mayFollow(actor: SessionActor | null): actor is SessionActor {
  return actor?.approved === true && can(actor, 'topic.office')
}

interface UserTables {
  usertype: Role
  fleetadmin: string | null
}

/** Returns the user types and fleets of the users, which determine the tables they appear in. */
async function readUserTables({ client }: Transaction, people: readonly string[]): Promise<UserTables[]> {
  if (people.length === 0) return []
  const reply = await client.query<UserTables>({
    name: 'table-changes-people',
    text: 'select distinct usertype, fleetadmin from user_roles where id = any($1::uuid[])',
    values: [[...new Set(people)]],
  })
  return reply.rows
}
