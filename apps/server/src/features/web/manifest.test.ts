import fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountManifest } from './web-build.ts'

test('manifest -> the name of the settings, icons for every launcher, shortcuts in the default language', async () => {
  const server = fastify()
  const arabic = {
    langName: 'العربية',
    langLocale: 'ar',
    dateLocale: 'ar',
    default: true,
    direction: 'rtl',
  } as const
  const keyValuePairs = { 'history.book': 'احجز', 'history.title': 'الحجوزات', 'wallet.title': 'المحفظة' }
  mountManifest(server, {
    settings: { current: async () => ({ appName: 'Fast "Parcels"' }) },
    languages: { start: async () => arabic, pack: async () => ({ ...arabic, keyValuePairs }) },
  })
  const answer = await server.inject({ url: '/manifest.webmanifest' })
  expect(answer.headers['content-type']).toContain('application/manifest+json')
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
    ['/', 'احجز'],
    ['/bookings', 'الحجوزات'],
    ['/wallet', 'المحفظة'],
  ])
})
