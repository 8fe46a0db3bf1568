import siteTexts from 'virtual:site-texts'
import { type ScreenPath, screenRoles } from '@hansom/domain/access/screens'
import { textsOf } from '@hansom/domain/languages/page-texts'
import { expect, test } from 'vitest'
import { screens } from './screens.ts'

/** Text groups that only admins see. */
const adminGroups =
  'audit cancelReasons carTypes dashboard exports language mailbox promos pushNotifications refunds reports settings table users wallet menu palette profile'.split(
    ' ',
  )
const visitors = (Object.keys(screenRoles) as ScreenPath[]).filter((path) => screenRoles[path] === null)

test('every page of the screen table -> its texts are listed', () => {
  expect(Object.keys(siteTexts.pages)).toEqual(screens.map(({ path }) => path))
  for (const { path, title } of screens)
    expect(siteTexts.pages[path]?.names.includes(title ?? ''), path).toBe(!!title)
})

test.each(visitors)('visitor at %s -> no admin texts', (path) => {
  const texts = textsOf(siteTexts, path, null, 'taxi')
  expect(texts.filter((name) => adminGroups.includes(name.split('.', 1)[0] ?? ''))).toEqual([])
  expect(texts).toContain('common')
})

test('part for one role -> its texts go to that role only', () => {
  const of = (path: ScreenPath, role: 'rider' | 'driver' | 'admin') => textsOf(siteTexts, path, role, 'taxi')
  expect(of('/bookings', 'driver')).toContain('driver')
  expect(of('/bookings', 'rider')).not.toContain('driver')
  expect(of('/bookings', 'rider')).not.toContain('table')
  expect(of('/bookings', 'admin')).toContain('table')
  expect(of('/trip/$id', 'admin')).toContain('refunds')
  expect(of('/trip/$id', 'rider')).not.toContain('refunds')
  expect(of('/trip/$id', 'rider')).not.toContain('driver')
})

test('menu -> names exactly the pages that the role may open', () => {
  const texts = textsOf(siteTexts, '/wallet', 'driver', 'taxi')
  expect(texts).toContain('earnings.title')
  expect(texts).not.toContain('carTypes.title')
})
