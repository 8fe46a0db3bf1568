import { languageCookie } from '@hansom/contract/boot'
import { mayOpen } from '@hansom/domain/access/screens'
import { roles } from '@hansom/domain/users/roles'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountManifest } from './web-build.ts'

test('manifest -> the name of the settings, icons for every launcher, shortcuts for every role in the visitor’s language', async () => {
  const server = fastify()
  const english = {
    langName: 'English',
    langLocale: 'en',
    dateLocale: 'en',
    default: true,
    direction: 'ltr',
  } as const
  const arabic = {
    langName: 'العربية',
    langLocale: 'ar',
    dateLocale: 'ar',
    default: false,
    direction: 'rtl',
  } as const
  const texts = { 'common.nav_bookings': 'الحجوزات', 'auth.profile': 'الملف الشخصي' }
  mountManifest(server, {
    settings: { current: async () => ({ appName: 'Fast "Parcels"' }) },
    languages: {
      start: async (chosen) => (chosen === 'ar' ? arabic : english),
      pack: async (locale) =>
        locale === 'ar' ? { ...arabic, keyValuePairs: texts } : { ...english, keyValuePairs: {} },
    },
  })
  const answer = await server.inject({
    url: '/manifest.webmanifest',
    headers: { cookie: `${languageCookie}=ar` },
  })
  expect(answer.headers['content-type']).toContain('application/manifest+json')
  // One browser's language is not another's.
  expect(answer.headers).toMatchObject({ 'cache-control': 'private, max-age=3600', vary: 'cookie' })
  const manifest = answer.json()
  expect(manifest).toMatchObject({
    name: 'Fast "Parcels"',
    start_url: '/',
    display: 'standalone',
    lang: 'ar',
    dir: 'rtl',
  })
  expect(manifest.icons.map(({ src, purpose }: { src: string; purpose: string }) => [src, purpose])).toEqual([
    ['/icons/192.png', 'any'],
    ['/icons/512.png', 'any'],
    ['/icons/maskable-512.png', 'maskable'],
  ])
  expect(manifest.shortcuts.map(({ url, name }: { url: string; name: string }) => [url, name])).toEqual([
    ['/bookings', 'الحجوزات'],
    ['/profile', 'الملف الشخصي'],
  ])
  for (const { url } of manifest.shortcuts)
    for (const role of roles) expect(mayOpen(url, role), `${role} ${url}`).toBe(true)
  const unchosen = await server.inject({ url: '/manifest.webmanifest' })
  expect(unchosen.json()).toMatchObject({ lang: 'en', dir: 'ltr' })
})
