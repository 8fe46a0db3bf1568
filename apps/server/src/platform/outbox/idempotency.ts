import { createHash } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import type { Transaction } from '../database/transaction.ts'

/** A command that may come twice: whose, which, and the key the client chose for it. */
export interface RepeatableCommand {
  user: string
  command: string
  key: string
  body: unknown
  now: number
}

/**
 * Runs `work` once for a key, in the open transaction, and keeps its answer. The same key again, also at the same
 * moment, waits for the first and gets its answer; with another body it is refused with idempotency_mismatch.
 * Work that throws leaves the key free.
 */
export async function withIdempotency<T>(
  tx: Transaction,
  request: RepeatableCommand,
  work: () => Promise<T>,
): Promise<T> {
  const scope = idempotencyScope(request)
  const hash = bodyHash(request.body)
  const claimed = await tx.client.query(
    `insert into idempotency_keys (scope, body_hash, at) values ($1, $2, $3) on conflict do nothing`,
    [scope, hash, request.now],
  )
  if (claimed.rowCount === 0) {
    const first = await tx.client.query<{ body_hash: string; result: T }>(
      'select body_hash, result from idempotency_keys where scope = $1',
      [scope],
    )
    return firstAnswer(first.rows[0], hash)
  }
  const result = await work()
  await tx.client.query('update idempotency_keys set result = $2 where scope = $1', [
    scope,
    JSON.stringify(result ?? null),
  ])
  return result
}

/** The answer kept under a key. Throws Refusal idempotency_mismatch when the key stood for another body. */
export function firstAnswer<T>(kept: { body_hash: string; result: T } | undefined, hash: string): T {
  refuseOtherBody(kept, hash)
  return kept.result
}

/** Throws Refusal idempotency_mismatch when the key stood for another body. */
export function refuseOtherBody<K extends { body_hash: string }>(
  kept: K | undefined,
  hash: string,
): asserts kept is K {
  if (!kept || kept.body_hash !== hash) throw new Refusal('idempotency_mismatch')
}

/** What a key is unique in: the user and the command. */
export function idempotencyScope(request: Pick<RepeatableCommand, 'user' | 'command' | 'key'>): string {
  return `${request.user}|${request.command}|${request.key}`
}

/** Equal for bodies that say the same, whatever the order of their fields. */
export function bodyHash(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('base64url')
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`
}
