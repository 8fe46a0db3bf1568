import { z } from 'zod'
import { type ProviderVariables, providerUrl } from '../options.ts'

const sites = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO', 'MPE', 'MLU'] as const

/** `url` is the API: Mercado Pago's, or a double. */
export const mercadopagoVariables: ProviderVariables<{
  accessToken: string
  webhookSecret: string
  site: (typeof sites)[number]
  url: string
}> = {
  prefix: 'MERCADOPAGO_',
  required: ['MERCADOPAGO_ACCESS_TOKEN', 'MERCADOPAGO_WEBHOOK_SECRET', 'MERCADOPAGO_SITE'],
  schema: z
    .strictObject({
      MERCADOPAGO_ACCESS_TOKEN: z
        .string()
        .regex(/^(APP_USR|TEST)-\S+$/, 'must be an access token (APP_USR-... or TEST-...)'),
      MERCADOPAGO_WEBHOOK_SECRET: z.string().min(8, 'must be the webhook secret'),
      MERCADOPAGO_SITE: z.enum(sites, `must be one of ${sites.join(', ')}`),
      MERCADOPAGO_URL: providerUrl.default('https://api.mercadopago.com'),
    })
    .transform((set) => ({
      accessToken: set.MERCADOPAGO_ACCESS_TOKEN,
      webhookSecret: set.MERCADOPAGO_WEBHOOK_SECRET,
      site: set.MERCADOPAGO_SITE,
      url: set.MERCADOPAGO_URL,
    })),
}
