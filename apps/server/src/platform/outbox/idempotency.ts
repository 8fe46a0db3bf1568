import { createHash } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import { z } from 'zod'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { deleteInBatches, type Transaction } from '../database/transaction.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** A command that may be repeated: its user, its name, and the key chosen by the client. */
interface RepeatableCommand {
  user: string
  command: string
  key: string
}

/** Throws Refusal idempotency_mismatch when the key was used with another body. */
export function assertSameBody<K extends { body_hash: string }>(
  stored: K | undefined,
  hash: string,
): asserts stored is K {
  if (!stored || stored.body_hash !== hash) throw new Refusal('idempotency_mismatch')
}

/** Builds the scope in which a key is unique: the user and the command. */
export function idempotencyScope(request: RepeatableCommand): string {
  return `${request.user}|${request.command}|${request.key}`
}

/** Hashes a body; equal for equal content in any field order. */
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

/** Retention of the first response of a command, ms. */
export const retentionMs = 48 * 60 * 60_000

/** Defines the hourly job that deletes expired responses. */
export function defineIdempotencyCleanup(jobs: Jobs, database: Pick<Database, 'pool'>, clock: Clock): void {
  jobs.define('idempotency.tidy', { schema: z.object({}), repeat: { everyS: 3600, data: {} } }, async () => {
    await deleteOldResponses(database, clock.now())
  })
}

/** Deletes responses older than the retention at `now`. */
export async function deleteOldResponses({ pool }: Pick<Database, 'pool'>, now: number): Promise<void> {
  await deleteInBatches(pool, 'idempotency_keys', 'at < $1', [now - retentionMs])
}

/** A command with side effects, as the client sent it. */
interface IdempotentCommand extends Omit<RepeatableCommand, 'key'> {
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
