import { api } from '../lib/api.ts'
import { chosenLocale, loadedTexts, onLanguageChange } from '../lib/i18n.ts'
import { currentMe, onSessionChange, storeMe } from '../lib/session.ts'

/**
 * Keeps the language of mails, texts and push notifications to the user: the one they choose on any device, and the page's
 * until they choose one.
 */
export function followLanguage(): void {
  let shown = chosenLocale()
  let sending = Promise.resolve()
  // One after the other, so that the last choice stays.
  const store = (locale: string) => {
    sending = sending.then(() => api.users.setLanguage({ locale })).then(storeMe, () => {})
  }
  const begin = () => {
    if (currentMe()?.locale === null) store(loadedTexts().pack.langLocale)
  }
  onLanguageChange(() => {
    const chosen = chosenLocale()
    if (chosen === null || chosen === shown) return
    shown = chosen
    if (currentMe() !== null) store(chosen)
  })
  onSessionChange(begin)
  begin()
}
