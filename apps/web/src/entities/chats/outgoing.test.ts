import { ApiError } from '@hansom/client/api-error'
import type { ChatMessage } from '@hansom/contract/chats'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Outgoing, type OutgoingMessage } from './outgoing.ts'

let stored: Map<string, string>
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
}
beforeEach(() => {
  stored = new Map()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const answerTo = ({ smsId, message = '' }: OutgoingMessage) => ({ smsId, message, seq: 1 }) as ChatMessage
const noConnection = new ApiError('Fetch Call Error', 0)

test('connection lost, page reloaded -> sent again with the same key, in order', async () => {
  const sent: string[] = []
  const before = new Outgoing('u', () => Promise.reject(noConnection), storage)
  before.add('b', { message: 'one' })
  before.add('b', { message: 'two' })
  const keys = before.list().map(({ smsId }) => smsId)
  await vi.advanceTimersByTimeAsync(10)
  expect(before.list()).toHaveLength(2)

  const after = new Outgoing(
    'u',
    async (message) => {
      sent.push(message.smsId)
      return answerTo(message)
    },
    storage,
  )
  await after.flush()
  expect(sent).toEqual(keys)
  expect(after.list()).toEqual([])
  expect(after.sent().map(({ message }) => message.message)).toEqual(['one', 'two'])
  expect(stored.size).toBe(0)
})

test('temporary failure -> tried again by itself, later each time', async () => {
  let attempts = 0
  const outgoing = new Outgoing(
    'u',
    async (message) => {
      attempts += 1
      if (attempts < 4) throw noConnection
      return answerTo(message)
    },
    storage,
  )
  outgoing.add('b', { message: 'one' })
  await vi.advanceTimersByTimeAsync(2_100)
  expect(attempts).toBe(2)
  await vi.advanceTimersByTimeAsync(15_000)
  expect([attempts, outgoing.list()]).toEqual([4, []])
})

test('user leaves while a message waits, or is under way -> not sent again with the session of the next one', async () => {
  let attempts = 0
  let fail: (error: Error) => void = () => {}
  const outgoing = new Outgoing(
    'u',
    () => {
      attempts += 1
      return new Promise((_resolve, reject) => {
        fail = reject
      })
    },
    storage,
  )
  outgoing.add('b', { message: 'one' })
  outgoing.add('b', { message: 'two' })
  outgoing.stop()
  fail(noConnection)
  await vi.advanceTimersByTimeAsync(60_000)
  await outgoing.flush()
  expect([attempts, outgoing.list()]).toEqual([1, []])
})

test('user leaves -> the call under way is aborted', async () => {
  let signal: AbortSignal | undefined
  const outgoing = new Outgoing(
    'u',
    (_message, given) => {
      signal = given
      return new Promise(() => {})
    },
    storage,
  )
  outgoing.add('b', { message: 'one' })
  expect(signal?.aborted).toBe(false)
  outgoing.stop()
  expect(signal?.aborted).toBe(true)
})

test('sent again while it is sent -> resolves when that is done', async () => {
  let give = () => {}
  const outgoing = new Outgoing(
    'u',
    (message) => new Promise((resolve) => (give = () => resolve(answerTo(message)))),
    storage,
  )
  outgoing.add('b', { message: 'one' })
  let isDone = false
  const sent = outgoing.flush().then(() => (isDone = true))
  await vi.advanceTimersByTimeAsync(10)
  expect(isDone).toBe(false)
  give()
  await sent
  expect(outgoing.list()).toEqual([])
})

test('too many -> waits as long as the server says', async () => {
  let attempts = 0
  const outgoing = new Outgoing(
    'u',
    async (message) => {
      attempts += 1
      if (attempts === 1) throw new ApiError('too_many_requests', 429, { data: { retryAfterS: 20 } })
      return answerTo(message)
    },
    storage,
  )
  outgoing.add('b', { message: 'one' })
  await vi.advanceTimersByTimeAsync(19_000)
  expect(attempts).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(outgoing.list()).toEqual([])
})

test('refused -> stays until it is sent again or discarded, and holds up no other', async () => {
  let isOpen = false
  const keys: string[] = []
  const outgoing = new Outgoing(
    'u',
    async (message) => {
      keys.push(message.smsId)
      if (!isOpen && message.message === 'one') throw new ApiError('chat_blocked', 409)
      return answerTo(message)
    },
    storage,
  )
  outgoing.add('b', { message: 'one' })
  outgoing.add('b', { message: 'two' })
  await vi.advanceTimersByTimeAsync(10)
  const [left] = outgoing.list()
  expect(outgoing.list()).toMatchObject([{ message: 'one', refused: 'chat_blocked' }])
  isOpen = true
  outgoing.retry(left?.smsId ?? '')
  await vi.advanceTimersByTimeAsync(10)
  expect(outgoing.list()).toEqual([])
  expect(keys.filter((key) => key === left?.smsId)).toHaveLength(2)

  isOpen = false
  outgoing.add('b', { message: 'one' })
  await vi.advanceTimersByTimeAsync(10)
  outgoing.discard(outgoing.list()[0]?.smsId ?? '')
  expect([outgoing.list(), stored.size]).toEqual([[], 0])
})

test('another user on this device -> finds nothing of the first', () => {
  new Outgoing('u', () => Promise.reject(noConnection), storage).add('b', { message: 'one' })
  expect(new Outgoing('other', () => Promise.reject(noConnection), storage).list()).toEqual([])
  expect(stored.size).toBe(0)
})

test('two pages of a user -> neither loses what the other has written', async () => {
  const [first, second] = [0, 1].map(() => new Outgoing('u', () => Promise.reject(noConnection), storage))
  first?.add('b', { message: 'one' })
  second?.add('b', { message: 'two' })
  first?.add('b', { message: 'three' })
  const texts = () => new Outgoing('u', undefined, storage).list().map(({ message }) => message)
  expect(texts().sort()).toEqual(['one', 'three', 'two'])
  first?.reload()
  const [gone] = first?.list() ?? []
  first?.discard(gone?.smsId ?? '')
  second?.reload()
  expect(second?.list().map(({ smsId }) => smsId)).not.toContain(gone?.smsId)
})

test('one chat takes no messages for a while -> those of another are sent, and its own stay in order', async () => {
  const sent: string[] = []
  let isBusy = true
  const outgoing = new Outgoing(
    'u',
    async (message) => {
      if (isBusy && message.booking === 'b') throw new ApiError('too_many_requests', 429)
      sent.push(message.message ?? '')
      return answerTo(message)
    },
    storage,
  )
  outgoing.add('b', { message: 'one' })
  outgoing.add('b', { message: 'two' })
  outgoing.add('c', { message: 'elsewhere' })
  await vi.advanceTimersByTimeAsync(10)
  expect(sent).toEqual(['elsewhere'])
  isBusy = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toEqual(['elsewhere', 'one', 'two'])
})
