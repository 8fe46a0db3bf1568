import { api } from '../lib/api.ts'
import { chosenLocale, loadedTexts, onLanguageChange } from '../lib/i18n.ts'
import { currentMe, onSessionChange, storeMe } from '../lib/session.ts'

/**
 * Keeps the language of mails, texts and push notifications to the user the one that they chose last: at a change of the
 * language, and at a sign-in on a device where they chose another one. Without a choice, it is the first page's.
 */
export function followLanguage(): void {
  const update = () => {
    const me = currentMe()
    if (me === null) return
    const locale = chosenLocale() ?? me.locale ?? loadedTexts().pack.langLocale
    if (me.locale === locale) return
    // Sent again at the next change or visit.
    void api.users.setLanguage({ locale }).then(storeMe, () => {})
  }
  onLanguageChange(update)
  onSessionChange(update)
  update()
}
