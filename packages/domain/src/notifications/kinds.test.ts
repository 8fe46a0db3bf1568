import { expect, test } from 'vitest'
import { alertKinds, alertKindsOf } from '../alerts/alerts.ts'
import texts from '../languages/packs/en/notify.json' with { type: 'json' }
import { roles } from '../users/roles.ts'
import {
  kindOfNotice,
  kindOfNotification,
  kindsOfRole,
  mutableKinds,
  noticeOf,
  notificationKinds,
  unmutedKinds,
} from './kinds.ts'

const titled = Object.keys(texts).flatMap((key) => /^(\w+)\.title$/.exec(key)?.[1] ?? [])

test('notices: every notice with a text -> has a kind', () => {
  expect(titled.filter((notice) => !Object.hasOwn(kindOfNotice, notice))).toEqual([])
})

test('notices: every one with a kind -> has a title and a message', () => {
  const keys = Object.keys(kindOfNotice).flatMap((notice) => [`${notice}.title`, `${notice}.msg`])
  expect(keys.filter((key) => !Object.hasOwn(texts, key))).toEqual([])
})

test('kind: alerts -> alerts, safety alarms -> safety; unknown or inherited names -> news', () => {
  for (const kind of alertKinds) {
    const expected = kind === 'safety' ? 'safety' : 'alerts'
    expect(kindOfNotification({ title: `alert.${kind}.title` })).toBe(expected)
  }
  for (const title of ['', 'notify.toString.title', 'alert.label', 'notify.accepted.msg']) {
    expect([noticeOf({ title }), kindOfNotification({ title })]).toEqual([null, 'news'])
  }
  expect(kindOfNotification({ title: 'notify.new_booking.title' })).toBe('requests')
})

test('roles: every kind belongs to a role, in the order of the preferences', () => {
  expect(new Set(roles.flatMap(kindsOfRole))).toEqual(new Set(notificationKinds))
  for (const role of roles) {
    const order = kindsOfRole(role).map((kind) => notificationKinds.indexOf(kind))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(kindsOfRole(role).includes('alerts')).toBe(alertKindsOf(role).length > 0)
  }
})

test('muting: requests and decisions about the account -> never', () => {
  for (const role of roles) {
    const fixed = kindsOfRole(role).filter((kind) => unmutedKinds.includes(kind))
    expect(new Set([...mutableKinds(role), ...fixed])).toEqual(new Set(kindsOfRole(role)))
    expect(mutableKinds(role)).not.toContain('requests')
  }
  expect(mutableKinds('driver')).toEqual(['trip', 'chat', 'payments', 'news'])
})
