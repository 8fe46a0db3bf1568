import type { Me } from '@hansom/contract/users'
import { afterEach, expect, it, vi } from 'vitest'
import { changeLanguage, refreshLanguages, startLanguage } from '../lib/i18n.ts'
import { currentMe, storeMe } from '../lib/session.ts'
import { followLanguage } from './follow-language.ts'

const named = (langLocale: string) => ({
  langName: langLocale,
  langLocale,
  dateLocale: langLocale,
  default: langLocale === 'en',
  direction: 'ltr' as const,
})
const me = { uid: 'a', usertype: 'rider', version: 1, locale: null } as unknown as Me

afterEach(() => vi.unstubAllGlobals())

it('language: first page, then chosen ones -> each stored once for messages', async () => {
  startLanguage({ ...named('en'), keyValuePairs: {} }, [named('en'), named('es')])
  storeMe(me)
  const stored: string[] = []
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/languages')) return Response.json([named('en'), named('es')])
    if (!pathname.endsWith('/me/language')) return Response.json({ ...named('es'), keyValuePairs: {} })
    const { locale } = (await request.json()) as { locale: string }
    stored.push(locale)
    return Response.json({ ...me, locale })
  })
  followLanguage()
  await vi.waitFor(() => expect(currentMe()?.locale).toBe('en'))
  await changeLanguage('es')
  await vi.waitFor(() => expect(currentMe()?.locale).toBe('es'))
  expect(stored).toEqual(['en', 'es'])
  // Another device has chosen later: new texts on this one are no choice.
  storeMe({ ...me, locale: 'en' })
  await refreshLanguages()
  expect(stored).toEqual(['en', 'es'])
})
