import { z } from 'zod'
import { base } from './base.ts'
import { carTypesTableSpec, feeTypes } from './car-types-table.ts'
import { amount, id, instant, longText, pageOf, rowVersion, shortText, translationsOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const translations = translationsOf('name', 'extra_info')
/** A parcel type or option with its description in other languages. */
const extraTranslations = translationsOf('description').optional()
const extras = z.array(z.object({ description: z.string(), amount, translations: extraTranslations }))
const cancelSlab = z.array(z.object({ minsDelayed: z.int(), amount }))

export const carType = z.object({
  id,
  name: z.string(),
  image: z.string().nullable(),
  base_fare: amount,
  rate_per_unit_distance: amount,
  rate_per_hour: amount,
  min_fare: amount,
  /** An amount when flat, otherwise a percentage scaled by 10^4. */
  convenience_fees: z.int(),
  convenience_fee_type: z.enum(feeTypes),
  extra_info: z.string(),
  seats: z.int(),
  cancelSlab,
  /** Delivery only: what a sender chooses from; each amount is added to the fare. Empty in the taxi category. */
  parcelTypes: extras,
  options: extras,
  /** Name and description in other languages; the fields above are in the default language. */
  translations,
})
export type CarType = z.infer<typeof carType>

/** A car type in the admin view. */
export const adminCarType = carType.extend({
  /** Position in the list shown to riders. */
  position: z.int(),
  createdAt: instant,
  version: rowVersion,
})
export type AdminCarType = z.infer<typeof adminCarType>

const extra = z.strictObject({ description: shortText, amount, translations: extraTranslations })

const fields = {
  name: shortText,
  base_fare: amount,
  rate_per_unit_distance: amount,
  rate_per_hour: amount,
  min_fare: amount,
  convenience_fees: z.int(),
  convenience_fee_type: z.enum(feeTypes),
  extra_info: longText,
  seats: z.int(),
  position: z.int(),
  cancelSlab: z.array(z.strictObject({ minsDelayed: z.int(), amount })).max(100),
  parcelTypes: z.array(extra).max(100),
  options: z.array(extra).max(100),
  /** One of the built-in pictures, or null. Custom pictures are uploaded. */
  image: z.string().max(200).nullable(),
  translations,
}

export const newCarType = z.strictObject({
  ...fields,
  extra_info: fields.extra_info.optional(),
  cancelSlab: fields.cancelSlab.optional(),
  parcelTypes: fields.parcelTypes.optional(),
  options: fields.options.optional(),
  image: fields.image.optional(),
  translations: translations.optional(),
  /** Defaults to the end of the list. */
  position: fields.position.optional(),
})
export type NewCarType = z.infer<typeof newCarType>

export const carTypeChanges = z.object(fields).partial()

export const carTypesContract = {
  /** The car types offered to riders, in list order. */
  list: base
    .route({ method: 'GET', path: '/api/v1/car-types', tags: ['car types'] })
    .output(z.array(carType)),
  table: base
    .route({ method: 'GET', path: '/api/v1/car-types/table', tags: ['car types'] })
    .input(tableInput(carTypesTableSpec))
    .output(pageOf(adminCarType)),
  count: base
    .route({ method: 'GET', path: '/api/v1/car-types/count', tags: ['car types'] })
    .input(tableCountInput(carTypesTableSpec))
    .output(tableCount),
  create: base
    .route({ method: 'POST', path: '/api/v1/car-types', tags: ['car types'], successStatus: 201 })
    .input(newCarType)
    .output(adminCarType),
  /**
   * `version` is that of the record as read; if it changed since, throws conflict with the record in `data.current`.
   */
  update: base
    .route({ method: 'PATCH', path: '/api/v1/car-types/{id}', tags: ['car types'] })
    .input(z.strictObject({ id, version: rowVersion, ...carTypeChanges.shape }))
    .output(adminCarType),
  /**
   * Removes a car type from every list; bookings keep their copy. Throws car_type_in_use while it has drivers or open
   * bookings.
   */
  remove: base
    .route({ method: 'DELETE', path: '/api/v1/car-types/{id}', tags: ['car types'] })
    .input(z.strictObject({ id }))
    .output(z.object({ ok: z.literal(true) })),
}
