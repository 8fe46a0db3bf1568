import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { PaymentError, type StartedPayment } from '../port.ts'
import { fromUnits, toUnits } from '../units.ts'

/** Result fields of the page's 3-D Secure library, named as in the vendor's PHP examples. */
const proofFields = ['eci', 'xid', 'cavv', 'protocolVersion', 'directoryServerTransactionId'] as const

/**
 * The body of a charge: the page's one-time token, the payer data of the page and, after a challenge, the 3-D Secure
 * result. Throws PaymentError if the page sent no token.
 */
export function chargeRequest(
  payment: StartedPayment,
  input: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const token = input.token ?? ''
  if (!/^tkn_(test|live)_\w+$/.test(token)) {
    throw new PaymentError('culqi: the page sent no card', { permanent: true })
  }
  const proof = proofFields.flatMap((field) => {
    const value = input[field]
    return value === undefined ? [] : [[field, value.slice(0, 200)] as const]
  })
  return {
    amount: toUnits(payment.amount, exponent),
    currency_code: payment.currency,
    email: (input.email ?? '').slice(0, 50),
    source_id: token,
    capture: true,
    description: `Ref ${payment.reference}`.slice(0, 80),
    metadata: { order_id: payment.reference },
    antifraud_details: antifraud(input),
    ...(proof.length > 0 ? { authentication_3DS: Object.fromEntries(proof) } : {}),
  }
}

function antifraud(input: Readonly<Record<string, string>>): Record<string, string> {
  const details = {
    first_name: input.firstName,
    last_name: input.lastName,
    phone_number: input.phone?.replace(/\D/g, ''),
    device_finger_print_id: input.device,
  }
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => (value ? [[name, value.slice(0, 50)] as const] : [])),
  )
}

/** Culqi uses hundredths for both of its currencies. */
export const exponent = 2

export const charge = z.object({
  object: z.literal('charge'),
  id: z.string(),
  amount: z.int(),
  currency_code: z.string().optional(),
  /** The field's name in older responses. */
  currency: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  outcome: z.object({ type: z.string() }).nullish(),
})

type CulqiCharge = z.infer<typeof charge>

export const refund = z.object({
  object: z.literal('refund'),
  id: z.string(),
  charge_id: z.string(),
  amount: z.int(),
})

/** The two list formats in the vendor's documentation. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.union([z.object({ data: z.array(item) }), z.object({ items: z.array(item) })]).transform((answer) => {
    const items: z.output<Item>[] = 'data' in answer ? answer.data : answer.items
    return items
  })

export const referenceOf = ({ metadata }: CulqiCharge): string | null =>
  typeof metadata?.order_id === 'string' ? metadata.order_id : null

/**
 * Maps a charge to a payment state. Its field `paid` is unreliable: successful charges in the vendor's examples have
 * false.
 */
export function foundBy(data: CulqiCharge): ReportedPayment {
  if (data.outcome?.type !== 'venta_exitosa') return { state: 'failed' }
  return {
    state: 'paid',
    reference: referenceOf(data) ?? '',
    providerId: data.id,
    amount: fromUnits(data.amount, exponent),
    currency: data.currency_code ?? data.currency ?? '',
    live: data.id.startsWith('chr_live_'),
  }
}
