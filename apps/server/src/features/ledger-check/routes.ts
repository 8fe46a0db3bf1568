import type { Os } from '../../platform/http/implement.ts'
import type { LedgerCheckService } from './service.ts'

/** The ledger's routes that replay it. */
export function ledgerCheckRoutes({ ledger: os }: Os, ledgerCheck: LedgerCheckService) {
  return {
    lastCheck: os.lastCheck.handler(async () => ({ check: await ledgerCheck.last() })),
    check: os.check.handler(() => ledgerCheck.now()),
  }
}
