import type { QuickReply } from '@hansom/domain/chats/quick-replies'
import type { LanguagesService } from '../languages/service.ts'

/** The text of a quick reply in a person's language; null: the default language. */
export async function quickText(
  languages: Pick<LanguagesService, 'choose' | 'pack'>,
  key: QuickReply,
  locale: string | null,
): Promise<string> {
  const { langLocale } = await languages.choose(locale === null ? [] : [locale])
  const name = `chat.quick_${key}`
  const { keyValuePairs } = await languages.pack(langLocale, [name])
  return keyValuePairs[name] ?? key
}
