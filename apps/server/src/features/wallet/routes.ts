import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { WalletService } from './service.ts'

/** The wallet's part of the users' routes. */
export function walletRoutes(os: Os, wallet: WalletService) {
  return {
    wallet: os.users.wallet
      .use(signedIn)
      .handler(({ context, input }) => wallet.history(context.viewer.uid, input.cursor)),
  }
}
