import { expect, test } from 'vitest'
import { embeddedPush } from './embedded.ts'
import { showMessage } from './push.fixture.ts'

test('embedded push: notification -> stored with its screen and link, without the token; closing -> not stored', async () => {
  const stored: unknown[] = []
  const send = embeddedPush(async (message) => void stored.push(message))
  const target = { kind: 'fcm', token: 'a', platform: 'IOS', p256dh: null, auth: null } as const
  const message = { target, urgency: 'normal', ttlS: 60, tag: 't', content: showMessage('Rain') } as const
  await send(message)
  await send({ ...message, content: { close: { tags: ['t'] } } })
  const params = { platform: 'IOS', screen: 'BookedCab', link: 'https://rides.test/bookings' }
  expect(stored).toEqual([
    {
      channel: 'push',
      to: expect.stringMatching(/^[0-9a-f]{16}$/),
      kind: 'notification',
      subject: 'Rain',
      text: 'Take care',
      params,
    },
  ])
  await expect(send({ ...message, target: { ...target, token: ' ' } })).rejects.toMatchObject({
    name: 'PushError',
    failure: 'unregistered',
  })
})
