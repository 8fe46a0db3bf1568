import type { LedgerEntry, LedgerSums } from '@hansom/contract/wallet'
import type { AccountGroup } from '@hansom/domain/wallet/account-groups'
import type { Pool } from 'pg'

type Leg = LedgerEntry['legs'][number]

interface EntryRow extends Omit<LedgerEntry, 'legs'> {
  legs: { account: string; name: string | null; amount: number; balance: number | null }[]
}

/** Entries with their legs and all names, in the order of `ids`. */
export async function readEntries(pool: Pool, ids: readonly string[]): Promise<LedgerEntry[]> {
  const { rows } = await pool.query<EntryRow>(
    `select e.id, e.at, e.kind, e.booking_id as booking, b.booking_id, e.currency, e.by_user, e.note,
        by.first_name || ' ' || by.last_name as by_name,
        (select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount, 'balance', l.balance,
            'name', coalesce(u.first_name || ' ' || u.last_name, trip.booking_id)) order by l.position)
          from ledger_legs l left join users u on u.id = l.user_id
            left join bookings trip on trip.id = case when l.account like 'trip:%' then substr(l.account, 6)::uuid end
          where l.entry_id = e.id) as legs
      from unnest($1::uuid[]) with ordinality as asked(id, place) join ledger_entries e on e.id = asked.id
        left join bookings b on b.id = e.booking_id left join users by on by.id = e.by_user
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
const sumsOfLegs = `select case when l.user_id = $1::uuid then l.account else ledger_account_counted(l.account) end
  as account, sum(l.amount)::bigint as sum`

interface Sum {
  account: string
  sum: number
}
