import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { entryKinds } from '@hansom/domain/wallet/ledger'
import { z } from 'zod'
import { base } from './base.ts'
import { ledgerOffer } from './ledger-offer.ts'
import { amount, id, instant, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** Beyond it no wallet reaches: ten thousand million currency units. */
const mostCredit = 100_000_000_000_000

export const walletContract = {
  /** Adds to a person's wallet. Throws no_details_error for nothing and less, not_found. */
  credit: base
    .route({ method: 'POST', path: '/api/v1/wallet/credits', tags: ['wallet'], successStatus: 201 })
    .input(z.strictObject({ uid: id, amount: amount.max(mostCredit) }))
    .output(z.object({ id, uid: id, amount, before: amount, after: amount })),
}

/** One movement of money with its legs, which sum to zero. */
export const ledgerEntry = z.object({
  id,
  at: instant,
  kind: z.enum(entryKinds),
  /** The booking's id, and what people call it. */
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  currency: z.string(),
  /** Who caused it; null: the platform. */
  by_user: id.nullable(),
  by_name: z.string().nullable(),
  note: z.string().nullable(),
  legs: z.array(
    z.object({
      group: z.enum(accountGroups),
      /** What follows the group in the account's name: a user's or booking's id, a provider's name. */
      of: z.string().nullable(),
      /** The user's or booking's name. */
      name: z.string().nullable(),
      amount,
      /** The user's balance after it. */
      balance: amount.nullable(),
    }),
  ),
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

/** What lies on the accounts; `total` is zero, or the books are wrong. */
export const ledgerSums = z.object({
  accounts: z.array(z.object({ group: z.enum(accountGroups), of: z.string().nullable(), sum: amount })),
  total: amount,
})
export type LedgerSums = z.infer<typeof ledgerSums>

/** What a replay of the ledger found. */
export const ledgerCheck = z.object({
  at: instant,
  entries: z.int(),
  sum: amount,
  /** How many differences there are; the first of them are told. */
  found: z.int(),
  differences: z.array(
    z.object({ comparison: z.string(), subject: z.string(), kept: z.int(), replayed: z.int() }),
  ),
  right: z.boolean(),
})
export type LedgerCheckView = z.infer<typeof ledgerCheck>

export const ledgerContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/ledger', tags: ['wallet'] })
    .input(tableInput(ledgerOffer))
    .output(pageOf(ledgerEntry)),
  count: base
    .route({ method: 'GET', path: '/api/v1/ledger/count', tags: ['wallet'] })
    .input(tableCountInput(ledgerOffer))
    .output(tableCount),
  /** Of the whole platform, or of all entries that moved a person's wallet or belong to a booking. */
  sums: base
    .route({ method: 'GET', path: '/api/v1/ledger/sums', tags: ['wallet'] })
    .input(z.object({ user: id.optional(), booking: id.optional() }))
    .output(ledgerSums),
  /** What the last replay of the ledger found; it is done every night. */
  lastCheck: base
    .route({ method: 'GET', path: '/api/v1/ledger/check', tags: ['wallet'] })
    .output(z.object({ check: ledgerCheck.nullable() })),
  /** Replays the ledger now, and holds every balance against it. Throws conflict while it is being done. */
  check: base.route({ method: 'POST', path: '/api/v1/ledger/check', tags: ['wallet'] }).output(ledgerCheck),
}
