import { createHash } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'

/** A command that may be repeated: its user, its name, and the key chosen by the client. */
export interface RepeatableCommand {
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
