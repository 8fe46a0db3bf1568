import { ledgerOffer as offer } from '@hansom/contract/ledger-table'
import { kindsMoving } from '@hansom/domain/wallet/account-groups'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { ledgerEntriesTable as entries, ledgerLegsTable as legs } from './table.ts'

const textArray = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`

/** What the ledger is sorted and filtered by. */
export const ledgerOffered = {
  offer,
  columns: {
    id: entries.id,
    sorts: { at: { sql: entries.at, type: 'int8' } },
    filters: {
      // The kinds are what an index knows; of those, entries without such a leg are left out. The offset keeps this a look
      // at each entry on its way: joined, all legs there are would be read for the first page.
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
