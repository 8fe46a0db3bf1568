import { screenAt } from '@hansom/domain/access/screens'
import type { Os } from '../../platform/http/implement.ts'
import type { Log } from '../../platform/log/log.ts'

/** Errors of pages that are logged in a minute, of all visitors together. */
export const mostPageErrors = 100

export function pagesRoutes({ pages: os }: Os, log: Pick<Log, 'warn'>) {
  let minute = 0
  let count = 0
  return {
    reportError: os.reportError.handler(({ input: { id, message, stack, path } }) => {
      const now = Math.floor(Date.now() / 60_000)
      if (now !== minute) [minute, count] = [now, 0]
      count += 1
      if (count > mostPageErrors) return { ok: true as const }
      // A path may hold the token of a link, which opens someone's trip.
      const screen = screenAt(path) ?? 'unknown'
      const hide = (text: string) =>
        withoutPersonalData(path.length > 1 ? text.replaceAll(path, screen) : text)
      log.warn({ pageError: id, message: hide(message), stack: hide(stack), screen }, 'page failed')
      return { ok: true as const }
    }),
  }
}

/** Masks what may be an email address, a phone number or a position in the text of a page's error. */
function withoutPersonalData(text: string): string {
  return text
    .replace(/[\w.%+-]+@[\w-]+(?:\.[\w-]+)+/g, '[email]')
    .replace(/-?\d+\.\d{3,}/g, '[number]')
    .replace(/\+?\d[\d ().-]{5,}\d/g, '[number]')
}
