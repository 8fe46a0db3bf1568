import { asJson, type DoubleServer, startDoubleServer } from '@hansom/doubles/payments/double-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mercadopagoPayments } from './mercadopago/mercadopago.ts'
import { paypalPayments } from './paypal/paypal.ts'
import type { PaymentProvider } from './port.ts'
import { securepayPayments } from './securepay/securepay.ts'

let server: DoubleServer
beforeAll(async () => {
  server = await startDoubleServer(
    ({ route }) => asJson(route.endsWith('token') ? { access_token: 'a', expires_in: 3600 } : {}),
    () => false,
  )
})
afterAll(() => server.close())

const providers: [string, string, (url: string) => PaymentProvider][] = [
  [
    'paypal',
    'USD',
    (url) => paypalPayments({ live: false, clientId: 'i', clientSecret: 's', webhookId: 'w', url }),
  ],
  [
    'mercadopago',
    'UYU',
    (url) => mercadopagoPayments({ accessToken: 'TEST-1', webhookSecret: 's', site: 'MLU', url }),
  ],
  [
    'securepay',
    'AUD',
    (url) => securepayPayments({ live: false, merchantId: 'ABC0001', password: 'p', url, apiUrl: url }),
  ],
]

test.each(providers)(
  '%s: refund accepted with an unknown response -> not failed',
  async (_, currency, open) => {
    const paid = { reference: 'R-1', amount: 300_000, currency, providerRef: '6', providerId: '7' }
    const order = { id: 'r', amount: 300_000, whole: true, refundedBefore: 0, repeated: false, reason: 'x' }
    await expect(open(server.origin).refund?.(paid, order)).rejects.toMatchObject({
      name: 'PaymentError',
      message: expect.not.stringContaining('did not respond'),
    })
  },
)
