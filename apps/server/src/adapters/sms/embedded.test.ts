import { expect, test } from 'vitest'
import { embeddedSms } from './embedded.ts'
import { smsSuite } from './port.suite.ts'

type Kept = Parameters<Parameters<typeof embeddedSms>[0]>[0]

smsSuite('embedded', async () => {
  const kept: Kept[] = []
  return {
    sms: embeddedSms(async (message) => void kept.push(message)),
    received: async () => kept.map(({ to, text }) => ({ to, text })),
  }
})

test('embedded sms: send -> stores the message with its kind and parameters', async () => {
  const kept: Kept[] = []
  const message = { to: '+59899123456', text: 'It is 123456', kind: 'code', params: { code: '123456' } }
  await embeddedSms(async (one) => void kept.push(one)).send(message)
  expect(kept).toEqual([{ channel: 'sms', subject: '', ...message }])
})
