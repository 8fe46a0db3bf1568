import { publicSettings } from '@hansom/contract/settings'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { expect, test } from 'vitest'
import { publicView } from './views.ts'

const region = {
  name: 'Here',
  center: { lat: 0, lng: 0 },
  bounds: [0, 0, 1, 1] as [number, number, number, number],
  attribution: 'map makers',
  countryCode: 'UY',
  id: 'montevideo',
  timezone: 'America/Montevideo',
  currency: 'UYU',
  languages: ['es'],
}

const baseMap = {
  style: 'https://maps.example/style.json',
  styleDark: null,
  tiles: null,
  attribution: null,
  origins: ['hidden'],
}

test('publicView: setting not in the contract -> left out', () => {
  const settings = { ...defaultSettings, version: 3, paymentSecret: 'hidden', region: 'hidden' }
  const view = publicView(settings, { ...region, folder: 'hidden' } as typeof region, {
    demo: true,
    cardAvailable: false,
    mapServices: [],
    callService: null,
    baseMap,
  })
  expect(Object.keys(view).sort()).toEqual(Object.keys(publicSettings.shape).sort())
  expect(publicSettings.parse(view)).toEqual(view)
  expect(view).toMatchObject({ version: 3, demo: true, region: { name: 'Here', attribution: 'map makers' } })
  expect(JSON.stringify(view)).not.toContain('hidden')
})
