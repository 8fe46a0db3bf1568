import { z } from 'zod'
import { base } from './base.ts'
import { discountTypes, promosTableSpec } from './promos-table.ts'
import { amount, id, instant, longText, pageOf, rowVersion, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const fields = {
  promo_name: shortText,
  promo_description: longText,
  promo_discount_type: z.enum(discountTypes),
  /** An amount when flat, otherwise a percentage scaled by 10^4. */
  promo_discount_value: z.int(),
  /** 0: no limit. */
  max_promo_discount_value: amount,
  min_order: amount,
  /** Last time it may be used. */
  promo_validity: instant,
  promo_usage_limit: z.int(),
}

export const promo = z.object({
  id,
  ...fields,
  /** Uses so far, including reserved ones. Counted by bookings. */
  user_avail: z.int(),
  createdAt: instant,
  version: rowVersion,
})
export type PromoView = z.infer<typeof promo>

export const newPromo = z.strictObject({
  ...fields,
  promo_description: fields.promo_description.optional(),
  max_promo_discount_value: amount.optional(),
  min_order: amount.optional(),
})
export type NewPromo = z.infer<typeof newPromo>

export const promoChanges = z.object(fields).partial()

export const promosContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/promos', tags: ['promos'] })
    .input(tableInput(promosTableSpec))
    .output(pageOf(promo)),
  count: base
    .route({ method: 'GET', path: '/api/v1/promos/count', tags: ['promos'] })
    .input(tableCountInput(promosTableSpec))
    .output(tableCount),
  create: base
    .route({ method: 'POST', path: '/api/v1/promos', tags: ['promos'], successStatus: 201 })
    .input(newPromo)
    .output(promo),
  /**
   * `version` is that of the record as read; if it changed since, throws conflict with the record in `data.current`.
   */
  update: base
    .route({ method: 'PATCH', path: '/api/v1/promos/{id}', tags: ['promos'] })
    .input(z.strictObject({ id, version: rowVersion, ...promoChanges.shape }))
    .output(promo),
  /** Removes a promo from every list and from use; bookings that have it keep it. */
  remove: base
    .route({ method: 'DELETE', path: '/api/v1/promos/{id}', tags: ['promos'] })
    .input(z.strictObject({ id }))
    .output(z.object({ ok: z.literal(true) })),
}
