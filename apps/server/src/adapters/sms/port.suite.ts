import { describe, expect, test } from 'vitest'
import type { Sms, SmsMessage } from './port.ts'

export interface SmsUnderTest {
  sms: Sms
  received(): Promise<{ to: string; text: string }[]>
}

const message: SmsMessage = { to: '+59899123456', text: '', kind: 'sign_in_code', params: {} }

/** Contract tests for every SMS adapter. */
export function smsSuite(name: string, make: () => Promise<SmsUnderTest>): void {
  describe(`sms: ${name}`, () => {
    test.each([
      'Your code is 123456',
      'a=b&c=d +1 100%',
      'Tu código: 123456 ✓',
      'Код: 123456\nНикому не говорите',
    ])('send: %j -> delivered unchanged', async (text) => {
      const { sms, received } = await make()
      await sms.send({ ...message, text })
      expect(await received()).toEqual([{ to: '+59899123456', text }])
    })

    test.each([
      '59899123456',
      '+59899123456,+59899123457',
      '+0899123456',
      '+598 99 123 456',
      '+1234',
      'Ana',
      '',
    ])('send: recipient %j is not one international number -> permanent SmsError', async (to) => {
      const { sms, received } = await make()
      const refusal = { name: 'SmsError', permanent: true }
      await expect(sms.send({ ...message, text: 'Hi', to })).rejects.toMatchObject(refusal)
      expect(await received()).toEqual([])
    })
  })
}
