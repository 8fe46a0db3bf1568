import { expect, test } from 'vitest'
import { embeddedPush } from './embedded.ts'

test('embedded push: send -> stores the notification with its device and screen', async () => {
  const stored: unknown[] = []
  const push = embeddedPush(async (message) => void stored.push(message))
  const message = {
    token: 'a',
    platform: 'IOS',
    title: 'Rain',
    body: 'Take care',
    screen: 'BookedCab',
  } as const
  await push.send(message)
  const params = { platform: 'IOS', screen: 'BookedCab' }
  expect(stored).toEqual([
    { channel: 'push', to: 'a', kind: 'notification', subject: 'Rain', text: 'Take care', params },
  ])
  await expect(push.send({ ...message, token: ' ' })).rejects.toMatchObject({
    name: 'PushError',
    isUnregistered: true,
  })
})
