import { walletReturned } from '../wallet/trip-entries.ts'
import { dueOf } from './amounts.ts'
import type { Outcome } from './decision.ts'
import type { Facts } from './facts.ts'

/**
 * The card's part of wallet and card did not come: the wallet's part that was held at checkout goes back, and all that is
 * due is the card's again.
 */
export function releaseHold({ booking }: Facts): Outcome {
  if (booking.payment_mode !== 'wallet_card') return {}
  const held = booking.usedWalletMoney
  return {
    changes: {
      payment_mode: 'card',
      usedWalletMoney: 0,
      payableAmount: dueOf({ ...booking, usedWalletMoney: 0 }),
    },
    entries: walletReturned(booking.id, booking.customer, held, `checkout:${booking.version + 1}`),
  }
}
