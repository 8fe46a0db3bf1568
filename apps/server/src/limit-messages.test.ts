import { expect, test } from 'vitest'
import { MailError } from './adapters/mail/port.ts'
import { limitMessages } from './limit-messages.ts'
import type { CountedMessage } from './platform/mailbox/message-counts.ts'

const letter = { to: 'a@x.test', subject: '', text: '', html: '', kind: 'reset', params: {} }
const text = { to: '+59899123456', text: '', kind: 'sign_in_code', params: {} }

function scene(options: { isFull?: boolean; fails?: boolean } = {}) {
  const sent: string[] = []
  const taken: CountedMessage[] = []
  const returned: CountedMessage[] = []
  const deliver = async ({ to }: { to: string }) => {
    if (options.fails) throw new MailError('no connection', false)
    sent.push(to)
  }
  const limited = limitMessages(
    {
      mail: { send: deliver, close: () => {} },
      sms: { send: deliver },
      counts: {
        take: async (message) => {
          taken.push(message)
          return !options.isFull
        },
        giveBack: async (message) => void returned.push(message),
      },
    },
    { mails: 2, texts: 1 },
  )
  return { ...limited, sent, taken, returned }
}

test('messages: hourly limit exceeded -> temporary failure; the other channel continues', async () => {
  const { mail, sms, sent } = scene()
  await mail.send(letter)
  await mail.send(letter)
  await expect(mail.send(letter)).rejects.toMatchObject({ name: 'MailError', permanent: false })
  await sms.send(text)
  await expect(sms.send(text)).rejects.toMatchObject({ name: 'SmsError', permanent: false })
  expect(sent).toHaveLength(3)
})

test('messages: daily limit reached -> not sent, and an error that ends the job', async () => {
  const { mail, sms, sent, returned } = scene({ isFull: true })
  const limited = { name: 'MessageLimitError', permanent: true }
  await expect(mail.send(letter)).rejects.toMatchObject(limited)
  await expect(sms.send(text)).rejects.toMatchObject(limited)
  expect([sent, returned]).toEqual([[], []])
})

test('messages: long text message -> counts as its parts; an email as one', async () => {
  const { mail, sms, taken } = scene()
  await sms.send({ ...text, text: 'x'.repeat(161) })
  await mail.send({ ...letter, text: 'x'.repeat(1000) })
  expect(taken.map(({ parts }) => parts)).toEqual([2, 1])
})

test('messages: not sent -> uncounted, and the error', async () => {
  const { mail, taken, returned } = scene({ fails: true })
  await expect(mail.send(letter)).rejects.toThrow(MailError)
  expect(returned).toEqual(taken)
  expect(taken).toHaveLength(1)
})

test('messages: account messages and codes -> essential; others -> not', async () => {
  const { mail, sms, taken } = scene()
  await mail.send(letter)
  await mail.send({ ...letter, kind: 'trip_booked', person: 'ana' })
  await sms.send(text)
  expect(taken.map(({ essential }) => essential)).toEqual([true, false, true])
  expect(taken[1]?.person).toBe('ana')
})
