import { expect, test } from 'vitest'
import { type PushNotification, pushNotificationProblems, pushReceivers } from './push-notification.ts'

const given = (changes: Partial<PushNotification>): PushNotification => ({
  devicetype: 'All',
  usertype: 'All',
  title: 'Rain',
  body: 'Many ask for a car.',
  ...changes,
})

test('push notification: title or text empty or too long -> refused', () => {
  expect(pushNotificationProblems(given({}))).toEqual([])
  expect(pushNotificationProblems(given({ title: ' \n', body: 'x'.repeat(401) }))).toEqual([
    { field: 'title', error: 'required' },
    { field: 'body', error: 'too_long' },
  ])
})

test('receivers: All -> riders and drivers, on every platform', () => {
  expect(pushReceivers(given({}))).toEqual({
    usertypes: ['rider', 'driver'],
    platforms: ['ANDROID', 'IOS'],
    withoutDevice: true,
  })
  expect(pushReceivers(given({ usertype: 'driver', devicetype: 'IOS' }))).toEqual({
    usertypes: ['driver'],
    platforms: ['IOS'],
    withoutDevice: false,
  })
})
