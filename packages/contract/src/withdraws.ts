import { z } from 'zod'
import { base } from './base.ts'
import { amount, cursor, id, instant, maxMoney, pageOf, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'
import { withdrawsTableSpec } from './withdraws-table.ts'

/** A request to withdraw money from a wallet. */
export const withdraw = z.object({
  id,
  uid: id,
  name: z.string(),
  amount,
  date: instant,
  bankName: z.string(),
  bankCode: z.string(),
  bankAccount: z.string(),
  processed: z.boolean(),
  refused: z.boolean(),
  /** Cancelled by its owner; counts as refused. */
  takenBack: z.boolean(),
  /** When it was processed or refused. */
  procesDate: instant.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
})
export type WithdrawView = z.infer<typeof withdraw>

export const withdrawRequest = z.strictObject({
  amount: amount.max(maxMoney),
  bankName: shortText,
  bankCode: shortText,
  bankAccount: shortText,
})

const decided = <P extends string>(command: P, summary: string) =>
  base.route({
    method: 'POST',
    path: `/api/v1/withdraws/{id}/${command}` as const,
    tags: ['wallet'],
    summary,
  })

export const withdrawsContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/withdraws', tags: ['wallet'] })
    .input(tableInput(withdrawsTableSpec))
    .output(pageOf(withdraw)),
  count: base
    .route({ method: 'GET', path: '/api/v1/withdraws/count', tags: ['wallet'] })
    .input(tableCountInput(withdrawsTableSpec))
    .output(tableCount),
  /**
   * Requests a payout in a user's name, also for riders who may not withdraw themselves; the wallet is debited
   * immediately and the user is notified. Throws not_found and the errors of `request`.
   */
  requestFor: base
    .route({
      method: 'POST',
      path: '/api/v1/withdraws',
      tags: ['wallet'],
      successStatus: 201,
      summary: 'An admin requests a payout in a user’s name.',
    })
    .input(withdrawRequest.extend({ uid: id }))
    .output(withdraw),
  /** Records that the money was sent. Throws wrong_status for a request that is already decided. */
  process: decided('process', 'An admin marks a withdrawal as paid out.')
    .input(z.strictObject({ id }))
    .output(withdraw),
  /** Refuses a request; the money returns to the wallet. Throws reason_needed, wrong_status. */
  refuse: decided('refuse', 'An admin refuses a withdrawal.')
    .input(z.strictObject({ id, reason: z.string().trim().max(300) }))
    .output(withdraw),

  /** The user's own requests, newest first. */
  own: base
    .route({ method: 'GET', path: '/api/v1/me/withdraws', tags: ['wallet'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(pageOf(withdraw)),
  /** Cancels the user's own open request. Throws not_found, wrong_status. */
  takeBack: base
    .route({ method: 'POST', path: '/api/v1/me/withdraws/{id}/take-back', tags: ['wallet'] })
    .input(z.strictObject({ id }))
    .output(withdraw),
  /**
   * Requests money from the user's own wallet, which is debited immediately. Throws withdraw_unavailable,
   * no_details_error, bank_details_needed, low_wallet.
   */
  request: base
    .route({ method: 'POST', path: '/api/v1/me/withdraws', tags: ['wallet'], successStatus: 201 })
    .input(withdrawRequest)
    .output(withdraw),
}
