import { promoDiscount } from '../fare/promo.ts'
import type { Amount } from '../money/amount.ts'
import type { Booking, PromoDetails } from './booking.ts'
import type { PaymentMode } from './status.ts'
import { isOneOf } from './status.ts'

type Paid = Pick<
  Booking,
  'trip_cost' | 'discount_amount' | 'usedWalletMoney' | 'cardPaymentAmount' | 'status' | 'prepaid'
>

/** The amount the rider still has to pay; negative when more was paid in advance than the trip cost. */
export function dueOf(
  booking: Pick<Booking, 'trip_cost' | 'discount_amount' | 'usedWalletMoney' | 'cardPaymentAmount'>,
): Amount {
  return booking.trip_cost - booking.discount_amount - booking.usedWalletMoney - booking.cardPaymentAmount
}

/** The escrow of a booking: the rider's money and, once prepaid, the promo's part. */
export function escrowOf(booking: Paid): { paid: Amount; promo: Amount } {
  if (isOneOf(['PAID', 'COMPLETE', 'CANCELLED'], booking.status)) return { paid: 0, promo: 0 }
  return {
    paid: booking.usedWalletMoney + booking.cardPaymentAmount,
    promo: booking.prepaid ? booking.discount_amount : 0,
  }
}

/** True for the payment methods that involve a payment provider. */
export function isByCard(mode: PaymentMode): mode is 'card' | 'wallet_card' {
  return mode === 'card' || mode === 'wallet_card'
}

/** The wallet part of a wallet-and-card payment: the balance, at most the amount due. */
export function walletPart(balance: Amount, due: Amount): Amount {
  return Math.max(0, Math.min(balance, due))
}

/**
 * The discount and promo fields of a booking at a price. A promo that no longer applies to the price gives no discount.
 */
export function discountFields(
  tripCost: Amount,
  promo: { id: string; details: PromoDetails } | null,
  decimal: number,
): Pick<Booking, 'discount_amount' | 'promo_applied' | 'promo_id' | 'promo_details'> {
  const discount_amount = promo ? promoDiscount(promo.details, tripCost, decimal) : 0
  return {
    discount_amount,
    promo_applied: discount_amount > 0,
    promo_id: promo?.id ?? null,
    promo_details: promo?.details ?? null,
  }
}
