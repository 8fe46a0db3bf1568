import type { Os } from '../../platform/http/implement.ts'
import type { Log } from '../../platform/log/log.ts'

export function pagesRoutes({ pages: os }: Os, log: Pick<Log, 'warn'>) {
  return {
    reportError: os.reportError.handler(({ input: { id, ...error } }) => {
      log.warn({ pageError: id, ...error }, 'page failed')
      return { ok: true as const }
    }),
  }
}
