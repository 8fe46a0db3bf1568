import type { Account, EntryKind } from './ledger.ts'

/** Groups of ledger accounts: all users, all trips and all providers are one group each. */
export const accountGroups = [
  'user',
  'trip',
  'due',
  'provider',
  'platform',
  'promo',
  'bonus',
  'adjustment',
  'payout',
  'refund',
  'cash_desk',
  'bank',
] as const
export type AccountGroup = (typeof accountGroups)[number]

export function groupOf(account: Account): AccountGroup {
  return account.split(':', 1)[0] as AccountGroup
}

/** The groups on which an entry of a kind can have legs. A test compares it with the functions that make entries. */
export const groupsOfKind: Readonly<Record<EntryKind, readonly AccountGroup[]>> = {
  cash_payment: ['user', 'trip'],
  wallet_payment: ['user', 'trip'],
  card_payment: ['provider', 'trip', 'promo', 'user'],
  promo_payment: ['promo', 'trip'],
  settlement: ['trip', 'user', 'due', 'platform'],
  surplus_returned: ['trip', 'user'],
  wallet_returned: ['trip', 'user'],
  cancellation: ['trip', 'user', 'due', 'promo'],
  rebooked: ['trip'],
  write_off: ['platform', 'trip'],
  late_capture: ['provider', 'user'],
  refund_asked: ['platform', 'user', 'refund'],
  refund_confirmed: ['refund', 'provider', 'user'],
  refund_failed: ['refund', 'platform', 'user'],
  refund_reversed: ['provider', 'platform', 'user'],
  dispute_fee: ['platform', 'provider'],
  withdraw_asked: ['user', 'payout'],
  withdraw_processed: ['payout', 'bank'],
  withdraw_refused: ['payout', 'user'],
  admin_credit: ['adjustment', 'user'],
  admin_debit: ['adjustment', 'user'],
  adjustment_reversed: ['adjustment', 'user'],
  top_up: ['provider', 'user'],
  referral_bonus: ['bonus', 'user'],
  debt_collected: ['user'],
  due_released: ['due', 'user'],
  due_waived: ['due', 'user'],
  objection_decided: ['user', 'platform'],
  cash_received: ['cash_desk', 'user'],
  cash_reversed: ['cash_desk', 'user'],
  cash_banked: ['cash_desk', 'bank'],
  guest_taken_over: ['user'],
  balance_given_up: ['adjustment', 'user'],
}

/** The kinds of entries that can move the accounts of a group. */
export function kindsMoving(group: AccountGroup): EntryKind[] {
  return (Object.keys(groupsOfKind) as EntryKind[]).filter((kind) => groupsOfKind[kind].includes(group))
}
