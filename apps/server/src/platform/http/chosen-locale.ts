import type { IncomingHttpHeaders } from 'node:http'
import { languageCookie } from '@hansom/contract/boot'

const cookie = new RegExp(`(?:^|; *)${languageCookie}=([^;]*)`)

/** Returns the language the visitor chose in this browser; null when none was chosen. */
export function chosenLocale(headers: IncomingHttpHeaders): string | null {
  const chosen = cookie.exec(headers.cookie ?? '')?.[1]
  return chosen === undefined ? null : decodeSafely(chosen)
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
