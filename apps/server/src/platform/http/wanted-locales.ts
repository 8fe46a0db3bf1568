import { languageCookie } from '@hansom/contract/boot'
import type { IncomingHttpHeaders } from 'node:http'

/** The language chosen here, and those the browser asks for, best first. */
export function wantedLocales(headers: IncomingHttpHeaders): { chosen: string | null; accepted: string[] } {
  const chosen = new RegExp(`(?:^|; *)${languageCookie}=([^;]*)`).exec(headers.cookie ?? '')?.[1]
  const accepted = (headers['accept-language'] ?? '')
    .slice(0, 300)
    .split(',')
    .map((part) => {
      const [locale = '', quality] = part.trim().split(/ *; *q=/)
      return { locale, weight: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ locale, weight }) => locale !== '' && locale !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ locale }) => locale)
  return { chosen: chosen === undefined ? null : decodeSafely(chosen), accepted }
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
