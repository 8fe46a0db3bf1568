import { expect, test } from 'vitest'
import { embeddedSms } from './embedded.ts'
import { smsSuite } from './port.suite.ts'

type StoredMessage = Parameters<Parameters<typeof embeddedSms>[0]>[0]

smsSuite('embedded', async () => {
  const stored: StoredMessage[] = []
  return {
    sms: embeddedSms(async (message) => void stored.push(message)),
    received: async () => stored.map(({ to, text }) => ({ to, text })),
  }
})

test('embedded sms: send -> stores the message with its kind and parameters', async () => {
  const stored: StoredMessage[] = []
  const message = { to: '+59899123456', text: 'It is 123456', kind: 'code', params: { code: '123456' } }
  await embeddedSms(async (one) => void stored.push(one)).send(message)
  expect(stored).toEqual([{ channel: 'sms', subject: '', ...message }])
})
