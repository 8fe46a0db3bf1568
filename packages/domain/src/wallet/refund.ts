import type { Booking } from '../bookings/booking.ts'
import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import { Refusal } from '../error-keys.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import { isPayable } from './withdraw.ts'

/**
 * The sources of a refund: a card payment through its provider; a payment from the wallet, in cash or as a cancellation
 * fee to the rider's wallet.
 */
export const refundSources = ['card', 'wallet', 'cash', 'fee'] as const
export type RefundSourceKind = (typeof refundSources)[number]

/** Who bears a refund: the platform, the trip's driver, or the payer's wallet, which has the captured money. */
export const refundBearers = ['platform', 'driver', 'wallet'] as const
export type RefundBearer = (typeof refundBearers)[number]

/**
 * `asked`: stored, not carried out. `pending`: sent to the provider. `by_hand`: an admin has to check with the
 * provider.
 */
export const refundStates = ['asked', 'pending', 'by_hand', 'confirmed', 'failed'] as const
export type RefundState = (typeof refundStates)[number]

/** The refunds whose amounts the reports count, by who bears them and by state: not those of the payer's own wallet. */
export const countedRefunds: { bearers: readonly RefundBearer[]; states: readonly RefundState[] } = {
  bearers: ['platform', 'driver'],
  states: refundStates.filter((state) => state !== 'failed'),
}

/**
 * Who started it: the back office; someone in the provider's dashboard; or the payer's bank (a chargeback), which holds
 * the money during the dispute.
 */
export const refundOrigins = ['office', 'provider', 'chargeback'] as const
export type RefundOrigin = (typeof refundOrigins)[number]

/** Final states of a refund. */
export const endedRefundStates = ['confirmed', 'failed'] as const satisfies readonly RefundState[]

/**
 * One source of a booking or of a card payment: the amount it paid and the part refunded, including pending refunds.
 */
export interface RefundableSource {
  source: RefundSourceKind
  /** The card payment; null for the other sources. */
  payment: string | null
  provider: string | null
  paid: Amount
  refunded: Amount
  bearers: readonly RefundBearer[]
}

/** A card payment that paid a booking, or was credited to its payer's wallet. */
export interface CardPaid {
  id: string
  provider: string
  amount: Amount
  /** True: it paid a booking; false: it was credited to the wallet. */
  forBooking: boolean
}

type Paid = Pick<
  Booking,
  | 'status'
  | 'usedWalletMoney'
  | 'cashPaymentAmount'
  | 'cancellation_fee'
  | 'driver'
  | 'customer_paid'
  | 'cardPaymentAmount'
>

/** True for a booking whose rider paid something to refund: a trip that was not written off, or a cancellation fee. */
export function isRefundable(booking: {
  status: BookingStatus
  cancellation_fee: Amount | null
  customer_paid: Amount
}): boolean {
  const { status, cancellation_fee, customer_paid } = booking
  if (status === 'CANCELLED') return (cancellation_fee ?? 0) > 0
  return isOneOf(['PAID', 'COMPLETE'], status) && customer_paid > 0
}

/**
 * The payments of a booking's rider, by source. A cancelled one has at most a fee: the rest was returned when it ended.
 */
export function sourcesOf(
  booking: Paid,
  cards: readonly CardPaid[],
  refunded: (source: RefundSourceKind, payment: string | null) => Amount,
): RefundableSource[] {
  const bearers: RefundBearer[] = booking.driver === null ? ['platform'] : ['platform', 'driver']
  const one = (source: RefundSourceKind, paid: Amount): RefundableSource => ({
    source,
    payment: null,
    provider: null,
    paid,
    refunded: refunded(source, null),
    bearers,
  })
  if (booking.status === 'CANCELLED')
    return [one('fee', booking.cancellation_fee)].filter(({ paid }) => paid > 0)
  if (!isOneOf(['PAID', 'COMPLETE'], booking.status)) return []
  const byCard = cards.map((card) => ({ ...cardSource(card, refunded('card', card.id)), bearers }))
  // The card payment of another trip paid this one, too: it is refunded to the wallet.
  const byOtherCard = booking.cardPaymentAmount - cards.reduce((sum, card) => sum + card.amount, 0)
  const fromWallet = booking.usedWalletMoney + Math.max(0, byOtherCard)
  const sources = [...byCard, one('wallet', fromWallet), one('cash', booking.cashPaymentAmount)]
  return sources.filter(({ paid }) => paid > 0)
}

/** A card payment on its own. Money credited to the payer's wallet is taken from there. */
export function cardSource(card: CardPaid, refunded: Amount): RefundableSource {
  return {
    source: 'card',
    payment: card.id,
    provider: card.provider,
    paid: card.amount,
    refunded,
    bearers: card.forBooking ? ['platform', 'driver'] : ['wallet'],
  }
}

/** The refundable rest of a source: never more than it paid, and in total no more than the trip has cost the rider. */
export function refundableRest(
  source: RefundableSource,
  all: readonly RefundableSource[],
  customerPaid: Amount | null,
): Amount {
  const own = source.paid - source.refunded
  if (customerPaid === null) return Math.max(0, own)
  const refunded = all.reduce((sum, one) => sum + one.refunded, 0)
  return Math.max(0, Math.min(own, customerPaid - refunded))
}

/** A refund request by an admin. */
export interface RefundRequest {
  amount: Amount
  bearer: RefundBearer
  reason: string
}

/** Why a refund is refused, or null: wrong_status, no_details_error, reason_needed, refund_too_much. */
export function refundRefusal(
  source: RefundableSource | undefined,
  left: Amount,
  wish: RefundRequest,
  settings: Pick<Settings, 'decimal'>,
): Refusal | null {
  if (source === undefined) return new Refusal('wrong_status')
  if (!isPayable(wish.amount, settings)) return refused('no_details_error', 'amount')
  if (wish.amount > left) return refused('refund_too_much', 'amount')
  if (!source.bearers.includes(wish.bearer)) return refused('select_proper', 'bearer')
  if (wish.reason.trim() === '') return refused('reason_needed', 'reason')
  return null
}

const refused = (
  key: 'no_details_error' | 'refund_too_much' | 'select_proper' | 'reason_needed',
  field: string,
) => new Refusal(key, { fields: [{ field, error: key }] })
