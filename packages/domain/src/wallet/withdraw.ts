import { type ErrorKey, Refusal } from '../error-keys.ts'
import type { Amount } from '../money/amount.ts'
import { roundTo } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'
import { canPay } from './trip-entries.ts'

export const withdrawStates = ['open', 'processed', 'refused'] as const
export type WithdrawState = (typeof withdrawStates)[number]

/** The decision about a withdrawal request: at most one. */
export function withdrawState({
  processed,
  refused,
}: {
  processed: boolean
  refused: boolean
}): WithdrawState {
  return processed ? 'processed' : refused ? 'refused' : 'open'
}

/** A withdrawal request: the amount and the bank account. */
export interface WithdrawRequest {
  amount: Amount
  bankName: string
  bankCode: string
  bankAccount: string
}

type WalletSettings = Pick<Settings, 'RiderWithDraw' | 'decimal'>

/** Drivers may withdraw; riders if the settings allow it. */
export function mayWithdraw(usertype: Role, settings: Pick<Settings, 'RiderWithDraw'>): boolean {
  return usertype === 'driver' || (usertype === 'rider' && settings.RiderWithDraw)
}

/** Users whose wallet an admin may pay out, also where they may not withdraw themselves. */
export function mayBePaidOut(usertype: Role): boolean {
  return mayWithdraw(usertype, { RiderWithDraw: true })
}

/**
 * Why a withdrawal is refused, or null: withdraw_unavailable, no_details_error (no amount, or finer than the currency),
 * bank_details_needed, low_wallet. `by` is who requests it: the owner, or an admin in their name.
 */
export function withdrawRefusal(
  user: { usertype: Role; walletBalance: Amount },
  wish: WithdrawRequest,
  settings: WalletSettings,
  by: 'owner' | 'admin' = 'owner',
): Refusal | null {
  const { usertype } = user
  const isAllowed = by === 'admin' ? mayBePaidOut(usertype) : mayWithdraw(usertype, settings)
  if (!isAllowed) return new Refusal('withdraw_unavailable')
  if (!isPayable(wish.amount, settings)) return refused('no_details_error', 'amount')
  if (wish.bankName.trim() === '') return refused('bank_details_needed', 'bankName')
  if (wish.bankAccount.trim() === '') return refused('bank_details_needed', 'bankAccount')
  if (!canPay(user.walletBalance, wish.amount)) return refused('low_wallet', 'amount')
  return null
}

/** True for a positive amount that the currency can represent exactly. */
export function isPayable(amount: Amount, { decimal }: Pick<Settings, 'decimal'>): boolean {
  return Number.isSafeInteger(amount) && amount > 0 && roundTo(amount, decimal) === amount
}

const refused = (key: ErrorKey, field: string) => new Refusal(key, { fields: [{ field, error: key }] })
