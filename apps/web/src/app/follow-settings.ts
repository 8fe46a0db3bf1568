import type { PublicSettings } from '@hansom/contract/settings'
import { orpc } from '../lib/api.ts'
import { refreshLanguages } from '../lib/i18n.ts'
import { live } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'
import { currentSettings, storeSettings } from '../lib/settings.ts'

/** All open pages hear of a new text at the same moment; they do not all ask for it at the same moment. */
const spreadMs = 400

/** Keeps the settings of the open page, and the texts of its language, as they are now at the server. */
export function followSettings(): void {
  const take = (data: unknown) => {
    const before = currentSettings()
    storeSettings(data as PublicSettings)
    const { version, languagesVersion } = currentSettings()
    if (version === before.version) return
    // Which sign-in methods are set up is asked separately, and has changed too.
    void queryClient.invalidateQueries({ queryKey: orpc.accounts.ways.key() })
    if (languagesVersion !== before.languagesVersion) readLanguages()
  }
  live.subscribe('settings', {
    snapshot: take,
    event: take,
    volatile: take,
    current: () => {},
    refused: () => {},
  })
}

let waiting: ReturnType<typeof setTimeout> | undefined

function readLanguages(): void {
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    // Without an answer the page goes on with the texts it has; the next load brings the others.
    refreshLanguages().catch(() => {})
  }, Math.random() * spreadMs)
}
