import { type Entry, userOf } from '@hansom/domain/wallet/ledger'
import { uuidv7 } from 'uuidv7'

/** The time and currency of entries, and the user who caused them (null: the platform). */
export interface EntryOrigin {
  at: number
  currency: string
  by: string | null
  note?: string
}

/** Entries in the form that the database function `append_ledger` takes. */
export function ledgerJson(entries: readonly Entry[], { at, currency, by, note }: EntryOrigin): object[] {
  return entries.map((entry) => ({
    id: uuidv7(),
    at,
    kind: entry.kind,
    key: entry.key,
    booking_id: entry.booking,
    currency,
    by_user: by,
    note: note ?? null,
    legs: entry.legs.map((leg) => ({
      account: leg.account,
      user_id: userOf(leg.account),
      amount: leg.amount,
    })),
  }))
}
