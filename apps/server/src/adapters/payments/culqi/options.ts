import { z } from 'zod'
import { type ProviderVariables, providerUrl } from '../options.ts'

export interface CulqiOptions {
  /** Defaults: the vendor's API, form script and 3-D Secure script. */
  url?: string | undefined
  scriptUrl?: string
  proofScriptUrl?: string
  publicKey: string
  /** Its prefix tells test and live mode apart. */
  secretKey: string
  /** The webhook credentials set in Culqi's panel; without them webhooks are refused. */
  webhook: { user: string; password: string } | null
}

const modeOf = (key: string) => key.split('_')[1]

/** Payments through Culqi. */
export const culqiVariables: ProviderVariables<CulqiOptions> = {
  prefix: 'CULQI_',
  required: ['CULQI_PUBLIC_KEY', 'CULQI_SECRET_KEY'],
  schema: z
    .strictObject({
      CULQI_PUBLIC_KEY: z.string().regex(/^pk_(test|live)_/, 'must begin with pk_test_ or pk_live_'),
      CULQI_SECRET_KEY: z.string().regex(/^sk_(test|live)_/, 'must begin with sk_test_ or sk_live_'),
      CULQI_WEBHOOK_USER: z.string().min(1).optional(),
      CULQI_WEBHOOK_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
      CULQI_URL: providerUrl.optional(),
      CULQI_SCRIPT_URL: providerUrl.optional(),
      CULQI_PROOF_SCRIPT_URL: providerUrl.optional(),
    })
    .refine((set) => modeOf(set.CULQI_PUBLIC_KEY) === modeOf(set.CULQI_SECRET_KEY), {
      message: 'must be for the same mode as CULQI_PUBLIC_KEY',
      path: ['CULQI_SECRET_KEY'],
    })
    .refine((set) => (set.CULQI_WEBHOOK_USER === undefined) === (set.CULQI_WEBHOOK_PASSWORD === undefined), {
      message: 'and CULQI_WEBHOOK_PASSWORD must be set together',
      path: ['CULQI_WEBHOOK_USER'],
    })
    .transform((set) => ({
      ...(set.CULQI_URL === undefined ? {} : { url: set.CULQI_URL }),
      ...(set.CULQI_SCRIPT_URL === undefined ? {} : { scriptUrl: set.CULQI_SCRIPT_URL }),
      ...(set.CULQI_PROOF_SCRIPT_URL === undefined ? {} : { proofScriptUrl: set.CULQI_PROOF_SCRIPT_URL }),
      publicKey: set.CULQI_PUBLIC_KEY,
      secretKey: set.CULQI_SECRET_KEY,
      webhook:
        set.CULQI_WEBHOOK_USER === undefined || set.CULQI_WEBHOOK_PASSWORD === undefined
          ? null
          : { user: set.CULQI_WEBHOOK_USER, password: set.CULQI_WEBHOOK_PASSWORD },
    })),
}
