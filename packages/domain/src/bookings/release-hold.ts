import { Refusal } from '../error-keys.ts'
import { walletReturned } from '../wallet/trip-entries.ts'
import { dueOf } from './amounts.ts'
import type { Outcome } from './decision.ts'
import type { Facts } from './facts.ts'

/**
 * The card's part of wallet and card did not come: the wallet's part that was held at checkout goes back, and all that is
 * due is the card's again. Refused with wrong_status where nothing is held.
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
