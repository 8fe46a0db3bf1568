import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { entryKinds } from '@hansom/domain/wallet/ledger'
import { z } from 'zod'
import { base } from './base.ts'
import { ledgerOffer } from './ledger-table.ts'
import { amount, cursor, id, instant, mostMoney, pageOf, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** Cash that an admin received from a driver or rider. */
export const cashReceipt = z.object({
  id,
  /** What people call it. */
  number: z.int(),
  uid: id,
  name: z.string(),
  amount,
  currency: z.string(),
  at: instant,
  by_user: id,
  note: z.string(),
  /** When and why it was reversed. */
  reversed_at: instant.nullable(),
  reason: z.string().nullable(),
})
export type CashReceipt = z.infer<typeof cashReceipt>

export const walletContract = {
  /** Adds to a person's wallet. Throws no_details_error for nothing and less, not_found. */
  credit: base
    .route({ method: 'POST', path: '/api/v1/wallet/credits', tags: ['wallet'], successStatus: 201 })
    .input(z.strictObject({ uid: id, amount: amount.max(mostMoney) }))
    .output(z.object({ id, uid: id, amount, before: amount, after: amount })),

  /** Receipts of the cash desk, newest first, and what it holds. */
  cash: base
    .route({ method: 'GET', path: '/api/v1/wallet/cash', tags: ['wallet'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(pageOf(cashReceipt).extend({ held: amount })),
  /** Cash came from a driver or rider. Throws no_details_error, not_found, not_valid_user_type. */
  receiveCash: base
    .route({ method: 'POST', path: '/api/v1/wallet/cash', tags: ['wallet'], successStatus: 201 })
    .input(z.strictObject({ uid: id, amount: amount.max(mostMoney), note: shortText.default('') }))
    .output(cashReceipt),
  /** A receipt was a mistake. Throws not_found, wrong_status, reason_needed, cash_desk_short. */
  reverseCash: base
    .route({ method: 'POST', path: '/api/v1/wallet/cash/{id}/reverse', tags: ['wallet'] })
    .input(z.strictObject({ id, reason: shortText }))
    .output(cashReceipt),
  /** Cash from the desk was paid into the bank. Throws no_details_error, cash_desk_short. */
  bankCash: base
    .route({ method: 'POST', path: '/api/v1/wallet/bankings', tags: ['wallet'], successStatus: 201 })
    .input(z.strictObject({ amount: amount.max(mostMoney), note: shortText.default('') }))
    .output(z.object({ held: amount })),
  /** Waives what a rider has not paid yet of a booking's fee. Throws not_found where nothing is open. */
  waive: base
    .route({ method: 'POST', path: '/api/v1/wallet/dues/{booking}/waive', tags: ['wallet'] })
    .input(z.strictObject({ booking: id, reason: shortText.min(1) }))
    .output(z.object({ booking: id, amount })),
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
