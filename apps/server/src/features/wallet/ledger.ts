import { ledgerTableSpec as spec } from '@hansom/contract/ledger-table'
import type { LedgerEntry, LedgerSums } from '@hansom/contract/wallet'
import { type AccountGroup, kindsMoving } from '@hansom/domain/wallet/account-groups'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Table, TableQuery } from '../../platform/tables/table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { ledgerEntriesTable as entries, ledgerLegsTable as legs } from './table.ts'

const textArray = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`

/** Sorts and filters of the ledger. */
export const ledgerTableColumns = {
  spec,
  columns: {
    id: entries.id,
    sorts: { at: { sql: entries.at, type: 'int8' } },
    filters: {
      // An index covers the kinds; entries of those kinds without such a leg are filtered out. The offset makes this a
      // lookup per entry: as a join, it would read all legs for the first page.
      account: (groups) =>
        and(
          sql`${entries.kind} = any(${textArray(groups.flatMap(kindsMoving))})`,
          sql`exists (select from ${legs} where ${legs.entry_id} = ${entries.id}
            and split_part(${legs.account}, ':', 1) = any(${textArray(groups)}) offset 0)`,
        ) as SQL,
      kind: entries.kind,
      user: (user) =>
        sql`${entries.id} in (select ${legs.entry_id} from ${legs} where ${legs.user_id} = ${user}::uuid)`,
      booking: entries.booking_id,
      at: entries.at,
    },
    search: null,
  },
} satisfies Table<typeof spec>

type Leg = LedgerEntry['legs'][number]

interface EntryRow extends Omit<LedgerEntry, 'legs'> {
  legs: { account: string; name: string | null; amount: number; balance: number | null }[]
}

/** Entries with their legs and all names, in the order of `ids`. */
export async function readEntries(pool: Pool, ids: readonly string[]): Promise<LedgerEntry[]> {
  const { rows } = await pool.query<EntryRow>(
    `select e.id, e.at, e.kind, e.booking_id as booking, b.code as booking_id, e.currency, e.by_user, e.note,
        by_user.name as by_name,
        (select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount, 'balance', l.balance,
            'name', coalesce(u.name, trip.code)) order by l.position)
          from ledger_legs l left join user_names u on u.id = l.user_id
            left join booking_money trip on trip.id = case when l.account like 'trip:%' then substr(l.account, 6)::uuid end
          where l.entry_id = e.id) as legs
      from unnest($1::uuid[]) with ordinality as asked(id, place) join ledger_entries e on e.id = asked.id
        left join booking_money b on b.id = e.booking_id left join user_names by_user on by_user.id = e.by_user
      order by asked.place`,
    [ids],
  )
  return rows.map(({ legs, ...entry }) => ({ ...entry, legs: legs.map(legOf) }))
}

function legOf({ account, ...leg }: EntryRow['legs'][number]): Leg {
  return { ...leg, ...accountOf(account) }
}

function accountOf(account: string): { group: AccountGroup; of: string | null } {
  const [group = '', ...of] = account.split(':')
  return { group: group as AccountGroup, of: of.length === 0 ? null : of.join(':') }
}

/** Sums of the entire platform, from the running sums; with a filter, calculated from the matching entries. */
export async function readSums(
  pool: Pool,
  { user, booking }: { user?: string | undefined; booking?: string | undefined },
): Promise<LedgerSums> {
  const { rows } = await pool.query<Sum>(
    user !== undefined
      ? {
          text: `with mine as materialized (select distinct entry_id from ledger_legs where user_id = $1)
            ${sumsOfLegs} from mine join ledger_legs l on l.entry_id = mine.entry_id
            where $2::uuid is null or exists (
              select from ledger_entries e where e.id = mine.entry_id and e.booking_id = $2 offset 0)
            group by 1`,
          values: [user, booking ?? null],
        }
      : booking !== undefined
        ? {
            text: `${sumsOfLegs} from ledger_entries e join ledger_legs l on l.entry_id = e.id
              where e.booking_id = $2 group by 1`,
            values: [null, booking],
          }
        : { text: 'select account, sum(amount)::bigint as sum from ledger_sums group by account' },
  )
  const accounts = rows.map(({ account, sum }) => ({ ...accountOf(account), sum }))
  return { accounts, total: accounts.reduce((total, { sum }) => total + sum, 0) }
}

/** The user's own account separately, all others as grouped for the running sums. */
const sumsOfLegs = `select case when l.user_id = $1::uuid then l.account else ledger_sum_account(l.account) end
  as account, sum(l.amount)::bigint as sum`

interface Sum {
  account: string
  sum: number
}

interface LegLine {
  entry: LedgerEntry
  leg: LedgerEntry['legs'][number]
}

/** The ledger as a file with a line per leg: the lines of an entry sum to zero. */
export const ledgerExport = (wallet: {
  allEntries(query: TableQuery): AsyncGenerator<LedgerEntry[]>
}): TableExport =>
  tableExport<LegLine>({
    name: 'ledger',
    spec,
    roles: ['admin'],
    when: 'critical',
    async *rows(_person, query) {
      for await (const entries of wallet.allEntries(query)) {
        yield entries.flatMap((entry) => entry.legs.map((leg) => ({ entry, leg })))
      }
    },
    columns: [
      { title: 'wallet.at', kind: 'time', value: ({ entry }) => entry.at },
      { title: 'wallet.entry', kind: 'text', value: ({ entry }) => entry.id },
      { title: 'wallet.kind', kind: { words: 'wallet.kind_' }, value: ({ entry }) => entry.kind },
      { title: 'wallet.account', kind: { words: 'wallet.account_' }, value: ({ leg }) => leg.group },
      { title: 'wallet.name', kind: 'text', value: ({ leg }) => leg.name ?? leg.of },
      { title: 'wallet.amount', kind: 'amount', value: ({ leg }) => leg.amount },
      { title: 'exports.currency', kind: 'text', value: ({ entry }) => entry.currency },
      { title: 'wallet.balance_after', kind: 'amount', value: ({ leg }) => leg.balance },
      { title: 'wallet.booking', kind: 'text', value: ({ entry }) => entry.booking_id },
      { title: 'wallet.by', kind: 'text', value: ({ entry }) => entry.by_name },
      { title: 'wallet.note', kind: 'text', value: ({ entry }) => entry.note },
    ],
  })
