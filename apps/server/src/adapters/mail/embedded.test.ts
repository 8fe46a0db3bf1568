import { expect, test } from 'vitest'
import { embeddedMail } from './embedded.ts'
import { mailSuite } from './port.suite.ts'

const stored: Parameters<Parameters<typeof embeddedMail>[0]>[0][] = []

mailSuite('embedded', async () => {
  stored.length = 0
  return {
    mail: embeddedMail(async (message) => void stored.push(message)),
    received: async () => stored.map(({ to, subject, text }) => ({ recipients: [to], subject, text })),
  }
})

test('embedded mail: send -> stores the message with its kind and parameters', async () => {
  stored.length = 0
  const message = {
    to: 'ana@rides.example',
    subject: 'Hello',
    text: 'Hi',
    html: '<p>Hi</p>',
    kind: 'hello',
    params: { a: 'b' },
  }
  await embeddedMail(async (one) => void stored.push(one)).send(message)
  expect(stored).toEqual([{ channel: 'mail', ...message }])
})
