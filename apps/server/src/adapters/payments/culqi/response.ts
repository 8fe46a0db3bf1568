import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { fromUnits } from '../units.ts'

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

export type CulqiCharge = z.infer<typeof charge>

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
