/**
 * Notifications to payers about card payments; their texts are in the language packs under `notify.<notice>.title` and
 * `.msg`.
 */
export const paymentNotices = ['payment_to_wallet', 'topped_up'] as const
export type PaymentNotice = (typeof paymentNotices)[number]
