import type { PublicSettings } from '@hansom/contract/settings'
import type { Me } from '@hansom/contract/users'
import bookingTexts from '@hansom/domain/languages/packs/en/bookingTexts.json'
import common from '@hansom/domain/languages/packs/en/common.json'
import courier from '@hansom/domain/languages/packs/en/courier.json'
import delivery from '@hansom/domain/languages/packs/en/delivery.json'
import driver from '@hansom/domain/languages/packs/en/driver.json'
import error from '@hansom/domain/languages/packs/en/error.json'
import trip from '@hansom/domain/languages/packs/en/trip.json'
import type { ChatPanel } from '../../entities/chats/chat-button.tsx'
import { storeMe } from '../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'

/** A trip whose chat is not tested. */
export const noChat: ChatPanel = { show: () => null, load: async () => {} }

/** English texts, settings and a driver for the console's components. */
export function startConsole(settings: Partial<PublicSettings> = {}): void {
  const packs = { bookingTexts, common, courier, delivery, driver, error, trip }
  startEnglish(
    Object.fromEntries(
      Object.entries(packs).flatMap(([group, texts]) =>
        Object.entries(texts).map(([name, words]) => [`${group}.${name}`, words]),
      ),
    ),
  )
  storeMe({ uid: 'd', usertype: 'driver', version: 1 } as Me)
  storeTestSettings({
    symbol: '$',
    decimal: 0,
    swipe_symbol: false,
    convert_to_mile: false,
    timezone: 'America/Montevideo',
    category: 'taxi',
    CarHornRepeat: false,
    version: 1,
    ...settings,
  })
}
