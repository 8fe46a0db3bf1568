import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'

/** Texts of emails and text messages in the user's language. */
export interface Messages {
  /** Fills `params` and the service's name into the texts. */
  write(
    kind: string,
    params: Readonly<Record<string, string>>,
    locale: string | null,
  ): Promise<{ subject: string; text: string }>
}

export function createMessages(languages: LanguagesService, settings: SettingsService): Messages {
  return {
    write: async (kind, params, locale) => {
      const { langLocale } = await languages.choose(locale === null ? [] : [locale])
      const { keyValuePairs: texts } = await languages.pack(langLocale)
      const { appName } = await settings.current()
      const values: Record<string, string> = { ...params, appName }
      const filled = (key: string) =>
        (texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
      // A line break in a subject would start another header.
      const subject = filled(`mail.${kind}.subject`).replace(/[\r\n]+/g, ' ')
      return { subject, text: filled(`mail.${kind}.text`) }
    },
  }
}
