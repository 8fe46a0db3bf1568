import { z } from 'zod'
import { type ProviderVariables, providerUrl } from '../options.ts'

export interface StripeOptions {
  secretKey: string
  /** The webhook endpoint's secret. */
  webhookSecret: string
  url: string
}

/** `url` is the API: Stripe's, or a double. */
export const stripeVariables: ProviderVariables<StripeOptions> = {
  prefix: 'STRIPE_',
  required: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  schema: z
    .strictObject({
      STRIPE_SECRET_KEY: z
        .string()
        .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key (sk_... or rk_...)'),
      STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_\S+$/, "must be the endpoint's secret (whsec_...)"),
      STRIPE_URL: providerUrl.default('https://api.stripe.com'),
    })
    .transform((set) => ({
      secretKey: set.STRIPE_SECRET_KEY,
      webhookSecret: set.STRIPE_WEBHOOK_SECRET,
      url: set.STRIPE_URL,
    })),
}
