import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from '../options.ts'

export interface PaypalOptions {
  live: boolean
  clientId: string
  clientSecret: string
  /** The id of our webhook at PayPal. */
  webhookId: string
  url: string
}

const urls = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' }

/** `url` is the API: that of the selected environment, or a double. */
export const paypalVariables: ProviderVariables<PaypalOptions> = {
  prefix: 'PAYPAL_',
  required: ['PAYPAL_ENV', 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'],
  schema: z
    .strictObject({
      PAYPAL_ENV: sandboxOrLive,
      PAYPAL_CLIENT_ID: z.string().min(1, 'must not be empty'),
      PAYPAL_CLIENT_SECRET: z.string().min(1, 'must not be empty'),
      PAYPAL_WEBHOOK_ID: z.string().regex(/^\w+$/, "must be the id of the app's webhook"),
      PAYPAL_URL: providerUrl.optional(),
    })
    .transform((set) => ({
      live: set.PAYPAL_ENV === 'live',
      clientId: set.PAYPAL_CLIENT_ID,
      clientSecret: set.PAYPAL_CLIENT_SECRET,
      webhookId: set.PAYPAL_WEBHOOK_ID,
      url: set.PAYPAL_URL ?? urls[set.PAYPAL_ENV],
    })),
}
