import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { WalletAdminService } from './admin-service.ts'
import type { WalletService } from './service.ts'

/** The wallet part of the user routes. */
export function ownWalletRoutes(os: Os, wallet: WalletService) {
  return {
    wallet: os.users.wallet
      .use(signedIn)
      .handler(({ context, input }) => wallet.history(context.viewer.id, input.cursor)),
  }
}

export function walletRoutes({ wallet: os }: Os, office: WalletAdminService) {
  return {
    cash: os.cash.handler(({ input }) => office.cash.list(input.cursor)),
    receiveCash: os.receiveCash
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        office.cash.receive(viewer.id, input, idempotencyKey),
      ),
    reverseCash: os.reverseCash
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        office.cash.reverse(viewer.id, input.id, input.reason, idempotencyKey),
      ),
    bankCash: os.bankCash
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        office.cash.bank(viewer.id, input, idempotencyKey),
      ),
    waive: os.waive
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        office.waive(viewer.id, input, idempotencyKey),
      ),
    credit: os.credit
      .use(signedIn)
      .handler(({ context, input }) => office.credit(context.viewer.id, input, context.idempotencyKey)),
  }
}

export function ledgerRoutes({ ledger: os }: Os, office: WalletAdminService) {
  return {
    list: os.list.handler(({ input }) => office.ledger(input)),
    count: os.count.handler(({ input }) => office.count(input)),
    sums: os.sums.handler(({ input }) => office.sums(input)),
  }
}
