import type { Os } from '../../platform/http/implement.ts'
import type { LedgerCheckService } from './service.ts'

/** Routes that replay the ledger and show the last result. */
export function ledgerCheckRoutes({ ledger: os }: Os, ledgerCheck: LedgerCheckService) {
  return {
    lastCheck: os.lastCheck.handler(async () => ({ check: await ledgerCheck.last() })),
    check: os.check.handler(() => ledgerCheck.now()),
  }
}
