import { expect, test } from 'vitest'
import { pickTexts, type SiteTexts, textsOf } from './page-texts.ts'

const site: SiteTexts = {
  everywhere: ['common'],
  frame: ['palette'],
  onDemand: {
    notifications: [],
    push: [],
    safety: [],
    contacts: [],
    shareContacts: [],
    alarms: [],
    chat: [],
    readChat: [],
    unsent: [],
    offline: [],
  },
  frameForRole: { admin: ['dispatch'] },
  pages: {
    '/': { texts: ['landing'], forRole: {}, framed: false, names: ['common.home'] },
    '/bookings': {
      texts: ['history'],
      forRole: { driver: ['driver'] },
      framed: true,
      names: ['menu.bookings'],
    },
    '/settings': { texts: ['settings'], forRole: {}, framed: true, names: ['menu.general_settings'] },
  },
}

test.each([
  ['/', null, ['common', 'landing']],
  [null, null, ['common']],
  [null, 'admin', ['common']],
  ['/bookings', 'rider', ['common', 'history', 'menu.bookings', 'palette']],
  ['/bookings', 'driver', ['common', 'driver', 'history', 'menu.bookings', 'palette']],
  [
    '/settings',
    'admin',
    ['common', 'dispatch', 'menu.bookings', 'menu.general_settings', 'palette', 'settings'],
  ],
] as const)('texts of a page: %s for %s -> %j', (path, role, expected) => {
  expect(textsOf(site, path, role, 'taxi')).toEqual(expected)
})

test('texts of a delivery page: taxi -> without those of deliveries', () => {
  const page = { texts: ['delivery', 'trip'], forRole: {}, framed: false, names: ['delivery.title'] }
  const own = { ...site, pages: { '/track/$token': page } }
  expect(textsOf(own, '/track/$token', null, 'taxi')).toEqual(['common', 'trip'])
  expect(textsOf(own, '/track/$token', null, 'delivery')).toEqual(['common', 'delivery', 'trip'])
})

test('texts of a part that only delivery installations load -> for those', () => {
  const page = { texts: ['trip'], forRole: {}, ofDeliveries: ['settings'], framed: false, names: [] }
  const own = { ...site, pages: { '/trip/$id': page } }
  expect(textsOf(own, '/trip/$id', null, 'taxi')).toEqual(['common', 'trip'])
  expect(textsOf(own, '/trip/$id', null, 'delivery')).toEqual(['common', 'settings', 'trip'])
})

test('texts by name: a group and a single key -> those and no others', () => {
  const texts = { 'a.x': '1', 'a.y': '2', 'b.x': '3', 'b.y': '4', 'ab.x': '5' }
  expect(pickTexts(texts, ['a', 'b.y'])).toEqual({ 'a.x': '1', 'a.y': '2', 'b.y': '4' })
})
