import { ledgerTableSpec as offer } from '@hansom/contract/ledger-table'
import { kindsMoving } from '@hansom/domain/wallet/account-groups'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { ledgerEntriesTable as entries, ledgerLegsTable as legs } from './table.ts'

const textArray = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`

/** Sorts and filters of the ledger. */
export const ledgerTableColumns = {
  offer,
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
} satisfies Table<typeof offer>
