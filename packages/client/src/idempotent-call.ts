import { isTemporary } from './api-error.ts'
import type { CallContext } from './rest-link.ts'

/**
 * Makes retries of a command safe: until a response arrives, the same command with the same input reuses its
 * idempotency key. A different input in between starts a new action. Throws what the call throws.
 */
export type IdempotentCall = <Input extends object, Answer>(
  command: string,
  input: Input,
  call: (input: Input, options: { context: CallContext }) => Promise<Answer>,
) => Promise<Answer>

/** Generates an idempotency key. Use one per confirmed action and reuse it for retries. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Creates an idempotent call that remembers the unanswered actions of one user. */
export function createIdempotentCall(newKey: () => string = newIdempotencyKey): IdempotentCall {
  /** The latest unanswered action per command and record. */
  const waiting = new Map<string, { body: string; key: string }>()

  return async (command, input, call) => {
    const subject = 'id' in input ? `${command} ${String(input.id)}` : command
    const body = JSON.stringify(input)
    const before = waiting.get(subject)
    const action = before?.body === body ? before : { body, key: newKey() }
    waiting.set(subject, action)
    const answered = () => {
      if (waiting.get(subject) === action) waiting.delete(subject)
    }
    try {
      const answer = await call(input, { context: { idempotencyKey: action.key } })
      answered()
      return answer
    } catch (error) {
      // Without a response the outcome is unknown, so the key is kept for the retry.
      if (!isTemporary(error)) answered()
      throw error
    }
  }
}
