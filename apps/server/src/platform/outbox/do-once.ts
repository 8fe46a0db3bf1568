import type { Transaction } from '../database/transaction.ts'
import { bodyHash, idempotencyScope, type RepeatableCommand, refuseOtherBody } from './idempotency.ts'

/** A command that makes or moves something, as the client has sent it. */
export interface OnceCommand extends Omit<RepeatableCommand, 'key'> {
  /** The client's key; null: every call counts. */
  key: string | null
  body: unknown
  /** Epoch ms. */
  at: number
}

/**
 * Does `work`, which answers with the id of what it made, once for a key: a repetition gets the first id, also when both
 * come at the same moment (the second waits for the first). Throws idempotency_mismatch for another body.
 */
export async function doOnce(
  { client }: Pick<Transaction, 'client'>,
  { user, command, key, body, at }: OnceCommand,
  work: () => Promise<string>,
): Promise<string> {
  if (key === null) return work()
  const scope = idempotencyScope({ user, command, key })
  const hash = bodyHash(body)
  const claimed = await client.query(
    'insert into idempotency_keys (scope, body_hash, at) values ($1, $2, $3) on conflict do nothing',
    [scope, hash, at],
  )
  if (claimed.rowCount === 0) {
    const kept = await client.query<{ body_hash: string; result_id: string }>(
      'select body_hash, result_id from idempotency_keys where scope = $1',
      [scope],
    )
    const [first] = kept.rows
    refuseOtherBody(first, hash)
    return first.result_id
  }
  const made = await work()
  await client.query('update idempotency_keys set result_id = $2 where scope = $1', [scope, made])
  return made
}
