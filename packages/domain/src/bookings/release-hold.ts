import { Refusal } from '../error-keys.ts'
import { walletReturned } from '../wallet/trip-entries.ts'
import { dueOf } from './amounts.ts'
import type { Outcome } from './decision.ts'
import type { Facts } from './facts.ts'

/**
 * The card part of wallet and card was not paid: returns the wallet part held at checkout, so that the full amount is
 * due by card again. Refused with wrong_status when nothing is held.
 */
export function releaseHold({ booking }: Facts): Outcome | Refusal {
  const held = booking.usedWalletMoney
  if (booking.payment_mode !== 'wallet_card' || held === 0) return new Refusal('wrong_status')
  return {
    changes: {
      payment_mode: 'card',
      usedWalletMoney: 0,
      payableAmount: dueOf({ ...booking, usedWalletMoney: 0 }),
    },
    entries: walletReturned(booking.id, booking.customer, held, `checkout:${booking.version + 1}`),
  }
}
