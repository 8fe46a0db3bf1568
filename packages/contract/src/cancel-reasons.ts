import { z } from 'zod'
import { base } from './base.ts'
import { cancelReasonsTableSpec } from './cancel-reasons-table.ts'
import { id, pageOf, rowVersion, shortText, translationsOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const translations = translationsOf('label')

/** `value` is the index in the list. Commands take `label` as the reason, also from readers of a translation. */
export const cancelReason = z.object({ label: z.string(), value: z.int(), translations })
export type CancelReason = z.infer<typeof cancelReason>

/** A reason in the admin view. `order` is the version of the list, required to move an entry. */
export const adminCancelReason = cancelReason.extend({ id, version: rowVersion, order: rowVersion })
export type AdminCancelReason = z.infer<typeof adminCancelReason>

export const cancelReasonsContract = {
  /** The reasons offered to riders, in list order. */
  list: base
    .route({ method: 'GET', path: '/api/v1/cancel-reasons', tags: ['cancel reasons'] })
    .output(z.array(cancelReason)),
  table: base
    .route({ method: 'GET', path: '/api/v1/cancel-reasons/table', tags: ['cancel reasons'] })
    .input(tableInput(cancelReasonsTableSpec))
    .output(pageOf(adminCancelReason)),
  count: base
    .route({ method: 'GET', path: '/api/v1/cancel-reasons/count', tags: ['cancel reasons'] })
    .input(tableCountInput(cancelReasonsTableSpec))
    .output(tableCount),
  /** Adds a reason at the end of the list. */
  create: base
    .route({ method: 'POST', path: '/api/v1/cancel-reasons', tags: ['cancel reasons'], successStatus: 201 })
    .input(z.strictObject({ label: shortText, translations: translations.optional() }))
    .output(adminCancelReason),
  /**
   * `version` is that of the reason as read; if it changed since, throws conflict with the reason in `data.current`.
   */
  update: base
    .route({ method: 'PATCH', path: '/api/v1/cancel-reasons/{id}', tags: ['cancel reasons'] })
    .input(
      z.strictObject({
        id,
        version: rowVersion,
        label: shortText.optional(),
        translations: translations.optional(),
      }),
    )
    .output(adminCancelReason),
  /**
   * Moves a reason to position `to`, from 0. `order` is the version of the list as read; if entries were added, removed
   * or moved since, throws conflict.
   */
  move: base
    .route({ method: 'POST', path: '/api/v1/cancel-reasons/{id}/move', tags: ['cancel reasons'] })
    .input(z.strictObject({ id, to: z.int().min(0).max(100_000), order: rowVersion }))
    .output(adminCancelReason),
  remove: base
    .route({ method: 'DELETE', path: '/api/v1/cancel-reasons/{id}', tags: ['cancel reasons'] })
    .input(z.strictObject({ id }))
    .output(z.object({ ok: z.literal(true) })),
}
