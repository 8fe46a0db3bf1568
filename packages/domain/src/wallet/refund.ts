import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import type { Booking } from '../bookings/booking.ts'
import { Refusal } from '../error-keys.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import { isPayable } from './withdraw.ts'

/**
 * What can be given back: a card payment through its provider; what was paid from the wallet, in cash or as a cancellation
 * fee to the rider's wallet.
 */
export const refundSources = ['card', 'wallet', 'cash', 'fee'] as const
export type RefundSourceKind = (typeof refundSources)[number]

/** Who bears a refund: the platform, the trip's driver, or the payer's own wallet, where captured money lies. */
export const refundBearers = ['platform', 'driver', 'wallet'] as const
export type RefundBearer = (typeof refundBearers)[number]

/** `asked`: kept, not carried out. `pending`: the provider has it. `by_hand`: somebody has to look at the provider. */
export const refundStates = ['asked', 'pending', 'by_hand', 'confirmed', 'failed'] as const
export type RefundState = (typeof refundStates)[number]

/**
 * Who began it: the office; somebody in the provider's own pages; or the payer's bank, which demands the money back and has
 * it while that is disputed.
 */
export const refundOrigins = ['office', 'provider', 'chargeback'] as const
export type RefundOrigin = (typeof refundOrigins)[number]

/** The states that end a refund. */
export const endedRefundStates = ['confirmed', 'failed'] as const satisfies readonly RefundState[]

/** One source of a booking or of a card payment: what it paid and what of it has gone back or is on the way. */
export interface RefundableSource {
  source: RefundSourceKind
  /** The card payment; null for the others. */
  payment: string | null
  provider: string | null
  paid: Amount
  refunded: Amount
  bearers: readonly RefundBearer[]
}

/** A card payment that paid a booking, or that lies in its payer's wallet. */
export interface CardPaid {
  id: string
  provider: string
  amount: Amount
  /** It paid a booking; otherwise it lies in the wallet. */
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

/** True for a booking of which something may go back: one that was paid, or cancelled for a fee. */
export function mayHavePaid(booking: { status: BookingStatus; cancellation_fee: Amount | null }): boolean {
  const { status, cancellation_fee } = booking
  return isOneOf(['PAID', 'COMPLETE'], status) || (status === 'CANCELLED' && (cancellation_fee ?? 0) > 0)
}

/** What a booking's rider has paid, by source. A cancelled one has a fee at most: the rest went back when it ended. */
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
  // A card payment of another trip paid this one too: it goes back to the wallet.
  const byOtherCard = booking.cardPaymentAmount - cards.reduce((sum, card) => sum + card.amount, 0)
  const fromWallet = booking.usedWalletMoney + Math.max(0, byOtherCard)
  const sources = [...byCard, one('wallet', fromWallet), one('cash', booking.cashPaymentAmount)]
  return sources.filter(({ paid }) => paid > 0)
}

/** A card payment by itself. What lies in the payer's wallet is taken from there. */
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

/** What may still go back of a source: never more than it paid, and in all no more than the trip has cost the rider. */
export function leftOf(
  source: RefundableSource,
  all: readonly RefundableSource[],
  customerPaid: Amount | null,
): Amount {
  const own = source.paid - source.refunded
  if (customerPaid === null) return Math.max(0, own)
  const refunded = all.reduce((sum, one) => sum + one.refunded, 0)
  return Math.max(0, Math.min(own, customerPaid - refunded))
}

/** What an admin asks for. */
export interface RefundWish {
  amount: Amount
  bearer: RefundBearer
  reason: string
}

/** Why a refund cannot be asked for, or null: wrong_status, no_details_error, reason_needed, refund_too_much. */
export function refundRefusal(
  source: RefundableSource | undefined,
  left: Amount,
  wish: RefundWish,
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
