import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { createIdempotentCall } from './idempotent-call.ts'

let keys = 0
const once = createIdempotentCall(() => `key ${++keys}`)

it('same command and input until a response arrives -> one key', async () => {
  const used: (string | undefined)[] = []
  const answers: (ApiError | 'done')[] = [
    new ApiError('Fetch Call Error', 0),
    new ApiError('server_error', 500),
    'done',
    'done',
    new ApiError('wrong_status', 409),
    'done',
  ]
  const cancel = () =>
    once('cancel', { id: 'b', reason: 'late' }, async (_input, { context }) => {
      used.push(context.idempotencyKey)
      const answer = answers.shift()
      if (answer instanceof ApiError) throw answer
      return answer
    }).catch((error: ApiError) => error.status)
  expect([await cancel(), await cancel(), await cancel()]).toEqual([0, 500, 'done'])
  expect([await cancel(), await cancel(), await cancel()]).toEqual(['done', 409, 'done'])
  expect(used).toEqual(['key 1', 'key 1', 'key 1', 'key 2', 'key 3', 'key 4'])
})

it('another command or input -> another key', async () => {
  const used: (string | undefined)[] = []
  const lost = (command: string, id: string, rating: number) =>
    once(command, { id, rating }, async (_input, { context }) => {
      used.push(context.idempotencyKey)
      throw new ApiError('Fetch Call Error', 0)
    }).catch(() => undefined)
  await lost('rate', 'b', 4)
  await lost('rate', 'c', 4)
  await lost('rate_rider', 'b', 4)
  await lost('rate', 'b', 4)
  await lost('rate', 'b', 5)
  // Going back to the first choice is a new action, because the first request may have succeeded.
  await lost('rate', 'b', 4)
  expect(used[3]).toBe(used[0])
  expect(new Set(used).size).toBe(5)
})
