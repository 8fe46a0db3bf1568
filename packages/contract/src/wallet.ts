import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { entryKinds } from '@hansom/domain/wallet/ledger'
import { z } from 'zod'
import { base } from './base.ts'
import { ledgerTableSpec } from './ledger-table.ts'
import { amount, cursor, id, instant, maxMoney, pageOf, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** Cash that an admin received from a driver or rider. */
export const cashReceipt = z.object({
  id,
  /** The receipt's number. */
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

/** A change of a wallet by an admin: a credit (amount above zero) or a debit (below zero). */
export const walletAdjustment = z.object({
  id,
  uid: id,
  name: z.string(),
  amount,
  currency: z.string(),
  at: instant,
  by_name: z.string(),
  reason: z.string(),
  /** When and why it was reversed. */
  reversed_at: instant.nullable(),
  reversal_reason: z.string().nullable(),
})
export type WalletAdjustment = z.infer<typeof walletAdjustment>

const adjustmentInput = z.strictObject({ uid: id, amount: amount.max(maxMoney), reason: shortText })
const adjusted = z.object({ id, uid: id, amount, before: amount, after: amount })

export const walletContract = {
  /** Credits a wallet. Throws no_details_error unless the amount is above zero, reason_needed, not_found. */
  credit: base
    .route({ method: 'POST', path: '/api/v1/wallet/credits', tags: ['wallet'], successStatus: 201 })
    .input(adjustmentInput)
    .output(adjusted),
  /** Debits a wallet by at most its balance. Throws the errors of `credit`, low_wallet. The result's amount is negative. */
  debit: base
    .route({ method: 'POST', path: '/api/v1/wallet/debits', tags: ['wallet'], successStatus: 201 })
    .input(adjustmentInput)
    .output(adjusted),
  /** Credits and debits by admins, newest first. */
  adjustments: base
    .route({ method: 'GET', path: '/api/v1/wallet/adjustments', tags: ['wallet'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(pageOf(walletAdjustment)),
  /** Reverses a mistaken credit or debit once; the balance may fall below zero. Throws not_found, wrong_status, reason_needed. */
  reverseAdjustment: base
    .route({ method: 'POST', path: '/api/v1/wallet/adjustments/{id}/reverse', tags: ['wallet'] })
    .input(z.strictObject({ id, reason: shortText }))
    .output(walletAdjustment),

  /** Receipts of the cash desk, newest first, and its balance. */
  cash: base
    .route({ method: 'GET', path: '/api/v1/wallet/cash', tags: ['wallet'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(pageOf(cashReceipt).extend({ held: amount })),
  /** Records cash received from a driver or rider. Throws no_details_error, not_found, not_valid_user_type. */
  receiveCash: base
    .route({ method: 'POST', path: '/api/v1/wallet/cash', tags: ['wallet'], successStatus: 201 })
    .input(z.strictObject({ uid: id, amount: amount.max(maxMoney), note: shortText.default('') }))
    .output(cashReceipt),
  /** Reverses a mistaken receipt. Throws not_found, wrong_status, reason_needed, cash_desk_short. */
  reverseCash: base
    .route({ method: 'POST', path: '/api/v1/wallet/cash/{id}/reverse', tags: ['wallet'] })
    .input(z.strictObject({ id, reason: shortText }))
    .output(cashReceipt),
  /** Records cash from the desk paid into the bank. Throws no_details_error, cash_desk_short. */
  bankCash: base
    .route({ method: 'POST', path: '/api/v1/wallet/bankings', tags: ['wallet'], successStatus: 201 })
    .input(z.strictObject({ amount: amount.max(maxMoney), note: shortText.default('') }))
    .output(z.object({ held: amount })),
  /** Waives the unpaid part of a booking's fee. Throws not_found if nothing is open. */
  waive: base
    .route({ method: 'POST', path: '/api/v1/wallet/dues/{booking}/waive', tags: ['wallet'] })
    .input(z.strictObject({ booking: id, reason: shortText.min(1) }))
    .output(z.object({ booking: id, amount })),
}

/** One movement of money with its legs, which add up to zero. */
export const ledgerEntry = z.object({
  id,
  at: instant,
  kind: z.enum(entryKinds),
  /** Id and code of the booking. */
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  currency: z.string(),
  /** The user who caused it; null: the platform. */
  by_user: id.nullable(),
  by_name: z.string().nullable(),
  note: z.string().nullable(),
  legs: z.array(
    z.object({
      group: z.enum(accountGroups),
      /** The part of the account's name after the group: a user's or booking's id, a provider's name. */
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

/** Sums of the accounts; `total` is zero unless the books are wrong. */
export const ledgerSums = z.object({
  accounts: z.array(z.object({ group: z.enum(accountGroups), of: z.string().nullable(), sum: amount })),
  total: amount,
})
export type LedgerSums = z.infer<typeof ledgerSums>

/** Result of a replay of the ledger. */
export const ledgerCheck = z.object({
  at: instant,
  entries: z.int(),
  sum: amount,
  /** Number of differences; only the first of them are listed. */
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
    .input(tableInput(ledgerTableSpec))
    .output(pageOf(ledgerEntry)),
  count: base
    .route({ method: 'GET', path: '/api/v1/ledger/count', tags: ['wallet'] })
    .input(tableCountInput(ledgerTableSpec))
    .output(tableCount),
  /** Sums of the entire platform, or of all entries that moved a user's wallet or belong to a booking. */
  sums: base
    .route({ method: 'GET', path: '/api/v1/ledger/sums', tags: ['wallet'] })
    .input(z.object({ user: id.optional(), booking: id.optional() }))
    .output(ledgerSums),
  /** Result of the last replay of the ledger; it runs every night. */
  lastCheck: base
    .route({ method: 'GET', path: '/api/v1/ledger/check', tags: ['wallet'] })
    .output(z.object({ check: ledgerCheck.nullable() })),
  /** Replays the ledger now and compares every balance with it. Throws conflict while a replay is running. */
  check: base.route({ method: 'POST', path: '/api/v1/ledger/check', tags: ['wallet'] }).output(ledgerCheck),
}
