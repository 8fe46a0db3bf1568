import type { PublicSettings } from '@hansom/contract/settings'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { expect, test } from 'vitest'
import { createBuiltPages } from './built-pages.ts'

const language = {
  langName: 'E',
  langLocale: 'en',
  dateLocale: 'en',
  default: true,
  direction: 'ltr' as const,
}

function builder() {
  const made: string[] = []
  const settings: PublicSettings = {
    ...defaultSettings,
    version: 1,
    region: { name: '', center: { lat: 0, lng: 0 }, bounds: [0, 0, 0, 0], attribution: '', countries: [] },
    demo: false,
    cardAvailable: false,
    mapServices: [],
    callService: null,
    baseMap: null,
  }
  const build = {
    folder: '',
    shell: '<html><head></head><!--boot--></html>',
    frontPages: new Map(),
    site: null,
  }
  const pages = createBuiltPages(build, {
    settings: { publicView: async () => settings },
    languages: {
      list: async () => [language],
      pack: async (locale) => {
        made.push(locale)
        if (locale === 'gone') throw new Error('gone')
        return { ...language, langLocale: locale, keyValuePairs: { 'a.b': 'c' } }
      },
    },
  })
  return { pages, made, settings }
}

test('pages: requested a hundred times concurrently -> built once', async () => {
  const { pages, made } = builder()
  const got = await Promise.all(Array.from({ length: 100 }, () => pages.page('/login', false, 'en', null)))
  expect([made, new Set(got).size]).toEqual([['en'], 1])
})

test('pages: another language, role or version -> built again', async () => {
  const { pages, made, settings } = builder()
  await pages.page('/login', false, 'en', null)
  await pages.page('/login', false, 'ar', null)
  await pages.page('/login', false, 'en', 'driver')
  settings.version = 2
  await pages.page('/login', false, 'en', null)
  expect([made, pages.size()]).toEqual([['en', 'ar', 'en', 'en'], 1])
})

test('pages: cache full -> the least recently used one is dropped', async () => {
  const { pages, made } = builder()
  const locales = Array.from({ length: 400 }, (_, index) => `l${index}`)
  for (const locale of locales) {
    await pages.page('/', true, locale, null)
    await pages.page('/', true, 'en', null)
  }
  expect([pages.size() <= 96, made.filter((locale) => locale === 'en')]).toEqual([true, ['en']])
})

test('pages: build fails -> retried', async () => {
  const { pages, made } = builder()
  for (let tries = 0; tries < 2; tries++) {
    await expect(pages.page('/', true, 'gone', null)).rejects.toThrow('gone')
  }
  expect([made, pages.size()]).toEqual([['gone', 'gone'], 0])
})
