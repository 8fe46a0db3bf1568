import { liveTopics, type OfficeNews } from '@hansom/contract/live'
import { can } from '@hansom/domain/access/permissions'
import {
  type OfficeTable,
  officeTables,
  tableOfPeople,
  tablesOfKind,
} from '@hansom/domain/access/office-tables'
import { roles, type Role } from '@hansom/domain/users/roles'
import type { Viewer } from '../../platform/http/request-context.ts'
import { channelName, type TopicRegistry } from '../../platform/live/topics.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type TableNews, tableNews } from '../../platform/tables/table-news.ts'
import { userChanged } from '../users/user-changed.ts'

export interface TellOfficeDeps {
  topics: TopicRegistry
  hub: { publish(channel: string, data: unknown): void }
  outbox: Outbox
}

/** All admins share one channel; a fleet admin gets changes of their drivers. */
const admins = 'admin'
const channelOf = (audience: string) => channelName(liveTopics.office, audience)

/** Serves the live topic of the admin tables, and publishes committed changes: audited ones and users' own. */
export function tellOffice({ topics, hub, outbox }: TellOfficeDeps): void {
  topics.register('office', {
    authorize: async (viewer) =>
      mayFollow(viewer) ? { channel: channelOf(viewer.role === 'admin' ? admins : viewer.uid) } : null,
    // Missed changes are unknown, so every open table reloads.
    snapshot: async (viewer): Promise<OfficeNews> => ({
      tables: viewer?.role === 'admin' ? [...officeTables] : ['drivers'],
    }),
  })

  /** `left` contains the previous fleet admins of these drivers. */
  const publish = async (
    tx: Transaction,
    people: readonly string[],
    told: readonly OfficeTable[],
    left: string[] = [],
  ) => {
    const tables = new Set(told)
    const fleets = new Set(left)
    for (const { usertype, fleetadmin } of await readUserTables(tx, people)) {
      tables.add(tableOfPeople[usertype])
      if (fleetadmin !== null) fleets.add(fleetadmin)
    }
    if (tables.size > 0) hub.publish(channelOf(admins), { tables: [...tables] } satisfies OfficeNews)
    for (const fleet of fleets) hub.publish(channelOf(fleet), { tables: ['drivers'] } satisfies OfficeNews)
  }

  outbox.onMany(tableNews, (events, tx) => {
    const news = events.map(({ payload }) => payload as TableNews)
    const tables = news.flatMap((one) => ('tables' in one ? one.tables : tablesOfKind(one.kind)))
    const people = news.flatMap((one) =>
      'kind' in one && one.kind === 'user' && one.person ? [one.person] : [],
    )
    return publish(tx, people, tables)
  })

  outbox.onMany(userChanged, (events, tx) => {
    const news = events.map(
      ({ payload }) => payload as { user: string; rights: boolean; left: string | null },
    )
    // After a change of user type, the user's previous table is unknown, so all of them reload.
    const allUserTables = news.some(({ rights }) => rights) ? roles.map((role) => tableOfPeople[role]) : []
    return publish(
      tx,
      news.map(({ user }) => user),
      allUserTables,
      news.flatMap(({ left }) => left ?? []),
    )
  })
}

function mayFollow(viewer: Viewer | null): viewer is Viewer {
  return viewer?.approved === true && can({ id: viewer.uid, usertype: viewer.role }, 'topic.office')
}

interface UserTables {
  usertype: Role
  fleetadmin: string | null
}

/** Returns the user types and fleets of the users, which determine the tables they appear in. */
async function readUserTables({ client }: Transaction, people: readonly string[]): Promise<UserTables[]> {
  if (people.length === 0) return []
  const reply = await client.query<UserTables>({
    name: 'table-news-people',
    text: 'select distinct usertype, fleetadmin from users where id = any($1::uuid[])',
    values: [[...new Set(people)]],
  })
  return reply.rows
}
