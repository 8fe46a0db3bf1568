import { alertKinds } from '@hansom/domain/alerts/alerts'
import { z } from 'zod'
import { base } from './base.ts'

export const alertKind = z.enum(alertKinds)

/** The number of open matters of a kind that the caller may settle; at most `maxAlertCount`. */
export const alertCount = z.object({ kind: alertKind, count: z.int() })
export type AlertCount = z.infer<typeof alertCount>

const wanted = z.object({ kinds: z.array(alertKind) })

/**
 * Matters that wait for an admin or a fleet admin. New ones are also notifications (`users.notifications`) with the kind
 * as their `screen`; the live topic `office` announces the table `alerts` when counts change or alerts were stored.
 */
export const alertsContract = {
  /** In the order of the to-do list, without kinds that have no open matter. */
  counts: base
    .route({ method: 'GET', path: '/api/v1/alerts', tags: ['alerts'] })
    .output(z.object({ counts: z.array(alertCount) })),
  /** The kinds of alerts that the caller receives by email, too. */
  mail: base.route({ method: 'GET', path: '/api/v1/alerts/mail', tags: ['alerts'] }).output(wanted),
  /** Replaces them. A kind that the caller is not alerted of is refused. */
  setMail: base
    .route({ method: 'PUT', path: '/api/v1/alerts/mail', tags: ['alerts'] })
    .input(z.strictObject({ kinds: z.array(alertKind).max(alertKinds.length) }))
    .output(wanted),
}
