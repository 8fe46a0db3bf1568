import type { NewEvent } from '../../platform/outbox/event.ts'

/** Event kind: money was added to a rider's wallet, which may now pay unpaid trips. */
export const collectFromWallet = 'wallet.collect'

/** In the wallet's stream, after releases to drivers who wait for an older fee. */
export function collectFromWalletEvent(user: string): NewEvent {
  return { kind: collectFromWallet, stream: `wallet:${user}`, payload: { user } }
}
