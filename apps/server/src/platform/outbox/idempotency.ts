import { createHash } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'

/** A command that may come twice: whose, which, and the key the client chose for it. */
export interface RepeatableCommand {
  user: string
  command: string
  key: string
}

/** Throws Refusal idempotency_mismatch when the key stood for another body. */
export function refuseOtherBody<K extends { body_hash: string }>(
  kept: K | undefined,
  hash: string,
): asserts kept is K {
  if (!kept || kept.body_hash !== hash) throw new Refusal('idempotency_mismatch')
}

/** What a key is unique in: the user and the command. */
export function idempotencyScope(request: RepeatableCommand): string {
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
