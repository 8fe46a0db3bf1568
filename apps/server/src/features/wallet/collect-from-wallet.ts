import type { NewEvent } from '../../platform/outbox/event.ts'

/** The kind of event that says that a rider put money into the wallet, from which unpaid trips can be paid. */
export const collectFromWallet = 'wallet.collect'

/** In the stream of the wallet: drivers who wait for an older fee come first. */
export function collectFromWalletEvent(user: string): NewEvent {
  return { kind: collectFromWallet, stream: `wallet:${user}`, payload: { user } }
}
