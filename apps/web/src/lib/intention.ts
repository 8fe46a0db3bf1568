import { newIdempotencyKey } from './api.ts'
import { isPassing } from './api-error.ts'
import type { CallContext } from './rest-link.ts'

/** The latest intention for a command on a thing, while it is not known to be answered. */
const waiting = new Map<string, { body: string; key: string }>()

/**
 * Gives a command so that it happens once, however often it is tried: until it has been answered, the same command
 * with the same input has the same key. Another input in between is another intention. Throws what the call throws.
 */
export async function once<Input extends { id: string }, Answer>(
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
    // Without an answer nobody knows whether it happened.
    if (!isPassing(error)) answered()
    throw error
  }
}
