import type { Boot } from '@hansom/contract/boot'
import { api } from '../lib/api.ts'
import { chosenLocale } from '../lib/i18n.ts'

/** The data sent with the page; null when the page came without. */
export function readBoot(): Boot | null {
  const json = document.getElementById('boot')?.textContent
  return json ? (JSON.parse(json) as Boot) : null
}

/** The same by four requests, for a page that came without. Throws an ApiError. */
export async function fetchBoot(): Promise<Boot> {
  const [settings, languages, me] = await Promise.all([
    api.settings.get(),
    api.languages.list(),
    api.users.me(),
  ])
  const wanted = chosenLocale()
  const language =
    languages.find(({ langLocale }) => langLocale === wanted) ?? languages.find((entry) => entry.default)
  const pack = await api.languages.pack({ locale: language?.langLocale ?? 'en' })
  return { settings, languages, pack, me }
}
