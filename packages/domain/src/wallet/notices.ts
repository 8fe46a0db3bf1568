/**
 * Notifications about a user's wallet; their texts are in the language packs under `notify.<notice>.title` and `.msg`.
 */
export const walletNotices = [
  'wallet_credited',
  'wallet_debited',
  'adjustment_reversed',
  'payout_requested',
  'withdraw_processed',
  'withdraw_refused',
  'upgrade_refused',
  'refund_to_wallet',
  'refund_to_card',
  'refund_borne',
  'cash_received',
  'cash_reversed',
  'due_released',
  'due_waived',
] as const
export type WalletNotice = (typeof walletNotices)[number]
