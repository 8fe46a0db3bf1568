import { promoDiscount } from '../fare/promo.ts'
import type { Amount } from '../money/amount.ts'
import type { Booking, PaymentMode, PromoDetails } from './booking.ts'
import { isOneOf } from './status.ts'

type Paid = Pick<
  Booking,
  'trip_cost' | 'discount_amount' | 'usedWalletMoney' | 'cardPaymentAmount' | 'status' | 'prepaid'
>

/** What the rider still has to pay; below zero when more was paid in advance than the trip cost in the end. */
export function dueOf(
  booking: Pick<Booking, 'trip_cost' | 'discount_amount' | 'usedWalletMoney' | 'cardPaymentAmount'>,
): Amount {
  return booking.trip_cost - booking.discount_amount - booking.usedWalletMoney - booking.cardPaymentAmount
}

/** What the escrow of a booking holds: the rider's money and, once prepaid, the promo's part. */
export function escrowOf(booking: Paid): { paid: Amount; promo: Amount } {
  if (isOneOf(['PAID', 'COMPLETE', 'CANCELLED'], booking.status)) return { paid: 0, promo: 0 }
  return {
    paid: booking.usedWalletMoney + booking.cardPaymentAmount,
    promo: booking.prepaid ? booking.discount_amount : 0,
  }
}

/** True for the modes in which a payment provider takes part. */
export function isByCard(mode: PaymentMode): mode is 'card' | 'wallet_card' {
  return mode === 'card' || mode === 'wallet_card'
}

/** What a wallet-and-card payment takes from the wallet: as much as there is, and no more than is due. */
export function walletPart(balance: Amount, due: Amount): Amount {
  return Math.max(0, Math.min(balance, due))
}

/** The discount and promo fields of a booking at a price. A promo that no longer fits the price takes nothing off. */
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
