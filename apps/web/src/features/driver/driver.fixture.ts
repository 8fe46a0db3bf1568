import type { PublicSettings } from '@hansom/contract/settings'
import bookingTexts from '@hansom/domain/languages/packs/en/bookingTexts.json'
import common from '@hansom/domain/languages/packs/en/common.json'
import courier from '@hansom/domain/languages/packs/en/courier.json'
import delivery from '@hansom/domain/languages/packs/en/delivery.json'
import driver from '@hansom/domain/languages/packs/en/driver.json'
import error from '@hansom/domain/languages/packs/en/error.json'
import trip from '@hansom/domain/languages/packs/en/trip.json'
import type { ChatPanel } from '../../entities/chats/chat-button.tsx'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'

/** A trip whose chat is not tested. */
export const noChat: ChatPanel = { show: () => null, load: async () => {} }

/** English texts and settings for the console's components. */
export function startConsole(settings: Partial<PublicSettings> = {}): void {
  const packs = { bookingTexts, common, courier, delivery, driver, error, trip }
  startEnglish(
    Object.fromEntries(
      Object.entries(packs).flatMap(([group, texts]) =>
        Object.entries(texts).map(([name, words]) => [`${group}.${name}`, words]),
      ),
    ),
  )
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
