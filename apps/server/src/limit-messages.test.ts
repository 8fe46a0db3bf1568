import { expect, test } from 'vitest'
import { limitMessages } from './limit-messages.ts'

test('messages: hourly limit exceeded -> temporary failure; the other channel continues', async () => {
  const sent: string[] = []
  const { mail, sms } = limitMessages(
    {
      mail: { send: async ({ to }) => void sent.push(to), close: () => {} },
      sms: { send: async ({ to }) => void sent.push(to) },
    },
    { mails: 2, texts: 1 },
  )
  const letter = { to: 'a@x.test', subject: '', text: '', kind: 'reset', params: {} }
  const text = { to: '+59899123456', text: '', kind: 'sign_in_code', params: {} }
  await mail.send(letter)
  await mail.send(letter)
  await expect(mail.send(letter)).rejects.toMatchObject({ name: 'MailError', permanent: false })
  await sms.send(text)
  await expect(sms.send(text)).rejects.toMatchObject({ name: 'SmsError', permanent: false })
  expect(sent).toHaveLength(3)
})
