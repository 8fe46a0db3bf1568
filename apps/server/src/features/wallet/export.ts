import { ledgerTableSpec } from '@hansom/contract/ledger-table'
import type { LedgerEntry } from '@hansom/contract/wallet'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { WalletAdminService } from './admin-service.ts'

interface LegLine {
  entry: LedgerEntry
  leg: LedgerEntry['legs'][number]
}

/** The ledger as a file with a line per leg: the lines of an entry sum to zero. */
export const ledgerExport = (office: Pick<WalletAdminService, 'allEntries'>): TableExport =>
  tableExport<LegLine>({
    name: 'ledger',
    offer: ledgerTableSpec,
    roles: ['admin'],
    when: 'critical',
    async *rows(_person, query) {
      for await (const entries of office.allEntries(query)) {
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
