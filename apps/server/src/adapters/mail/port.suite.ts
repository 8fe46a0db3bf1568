import { describe, expect, test } from 'vitest'
import type { Mail, MailMessage } from './port.ts'

export interface MailUnderTest {
  mail: Mail
  received(): Promise<{ recipients: string[]; subject: string; text: string }[]>
}

const message: MailMessage = {
  to: 'ana@rides.example',
  subject: 'Confirmá tu dirección ✓',
  text: 'Seguí este enlace:\nhttps://rides.example/verify?token=a=b&c',
  html: '',
  kind: 'verify_email',
  params: {},
}

/** Contract tests for every mail adapter. */
export function mailSuite(name: string, make: () => Promise<MailUnderTest>): void {
  describe(`mail: ${name}`, () => {
    test('send: text in any script -> delivered unchanged', async () => {
      const { mail, received } = await make()
      await mail.send(message)
      const [only, ...more] = await received()
      expect(only).toEqual({ recipients: [message.to], subject: message.subject, text: message.text })
      expect(more).toEqual([])
    })

    test.each([
      'ana@rides.example, eva@rides.example',
      'ana@rides.example;eva@rides.example',
      'Eva <eva@rides.example>',
      'ana@rides.example\r\nBcc: eva@rides.example',
      '"ana@rides.example,eva"@rides.example',
      'list: ana@rides.example;',
      'ana',
      '',
    ])('send: recipient %j is not exactly one address -> permanent MailError', async (to) => {
      const { mail, received } = await make()
      await expect(mail.send({ ...message, to })).rejects.toMatchObject({
        name: 'MailError',
        permanent: true,
      })
      expect(await received()).toEqual([])
    })
  })
}
