import type { Transaction } from '../database/transaction.ts'
import { bodyHash, idempotencyScope, type RepeatableCommand, assertSameBody } from './idempotency.ts'

/** A command with side effects, as the client sent it. */
export interface IdempotentCommand extends Omit<RepeatableCommand, 'key'> {
  /** The client's key; null means that every call runs. */
  key: string | null
  body: unknown
  /** Epoch ms. */
  at: number
}

/**
 * Runs `work`, which returns the id of the record it created, once per key: a repeat gets the first id, also when both
 * are concurrent (the second waits for the first). Throws idempotency_mismatch for another body.
 */
export async function idempotent(
  { client }: Pick<Transaction, 'client'>,
  { user, command, key, body, at }: IdempotentCommand,
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
    const stored = await client.query<{ body_hash: string; result_id: string }>(
      'select body_hash, result_id from idempotency_keys where scope = $1',
      [scope],
    )
    const [first] = stored.rows
    assertSameBody(first, hash)
    return first.result_id
  }
  const createdId = await work()
  await client.query('update idempotency_keys set result_id = $2 where scope = $1', [scope, createdId])
  return createdId
}
