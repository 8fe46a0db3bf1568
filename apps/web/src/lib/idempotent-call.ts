import { newIdempotencyKey } from './api.ts'
import { isTemporary } from './api-error.ts'
import type { CallContext } from './rest-link.ts'

/** The latest unanswered action per command and record. */
const waiting = new Map<string, { body: string; key: string }>()

/**
 * Makes retries of a command safe: until a response arrives, the same command with the same input reuses its
 * idempotency key. A different input in between starts a new action. Throws what the call throws.
 */
export async function idempotentCall<Input extends { id: string }, Answer>(
  command: string,
  input: Input,
  call: (input: Input, options: { context: CallContext }) => Promise<Answer>,
): Promise<Answer> {
  const subject = `${command} ${input.id}`
  const body = JSON.stringify(input)
  const before = waiting.get(subject)
  const intention = before?.body === body ? before : { body, key: newIdempotencyKey() }
  waiting.set(subject, intention)
  const answered = () => {
    if (waiting.get(subject) === intention) waiting.delete(subject)
  }
  try {
    const answer = await call(input, { context: { idempotencyKey: intention.key } })
    answered()
    return answer
  } catch (error) {
    // Without a response the outcome is unknown, so the key is kept for the retry.
    if (!isTemporary(error)) answered()
    throw error
  }
}
