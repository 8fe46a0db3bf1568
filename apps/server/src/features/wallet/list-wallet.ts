import { id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import { walletHistoryEntry } from '@hansom/domain/wallet/history'
import type { EntryKind } from '@hansom/domain/wallet/ledger'
import type { Pool } from 'pg'

export interface WalletPage {
  balance: number
  items: (ReturnType<typeof walletHistoryEntry> & { id: string; kind: EntryKind })[]
  next: string | null
}

const pageSize = 30

interface LegRow {
  id: string
  kind: EntryKind
  booking: string | null
  amount: number
  at: number
}

/** A page of a user's wallet history; `cursor` is the ID of the last item shown. */
export async function listWallet(pool: Pool, user: string, cursor: string | undefined): Promise<WalletPage> {
  if (cursor !== undefined && !uuid.safeParse(cursor).success) {
    throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
  }
  const [legs, balance] = await Promise.all([
    pool.query<LegRow>(
      `select e.id, e.kind, e.booking_id as booking, sum(l.amount)::bigint as amount, e.at
        from ledger_legs l join ledger_entries e on e.id = l.entry_id
        where l.user_id = $1 and ($2::uuid is null or e.id < $2)
        group by e.id having sum(l.amount) <> 0 order by e.id desc limit $3`,
      [user, cursor ?? null, pageSize + 1],
    ),
    pool.query<{ wallet_balance: number }>('select wallet_balance from users where id = $1', [user]),
  ])
  const items = legs.rows.slice(0, pageSize).map(({ id, kind, booking, amount, at }) => ({
    id,
    kind,
    ...walletHistoryEntry({ kind, booking }, amount, at),
  }))
  return {
    balance: balance.rows[0]?.wallet_balance ?? 0,
    items,
    next: legs.rows.length > pageSize ? (items.at(-1)?.id ?? null) : null,
  }
}
