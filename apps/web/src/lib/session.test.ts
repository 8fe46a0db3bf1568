import type { Me } from '@hansom/contract/users'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import {
  currentMe,
  handleSessionEnd,
  onSessionEnded,
  sessionError,
  storeMe,
  switchSession,
} from './session.ts'

const user = (uid: string) => ({ uid, version: 1 }) as Me
const privateKey = ['bookings of the user']
let ended: number
let forget: () => void
beforeEach(() => {
  ended = 0
  forget = onSessionEnded(() => (ended += 1))
  queryClient.clear()
  storeMe(user('a'))
  queryClient.setQueryData(privateKey, ['a trip'])
})
afterEach(() => {
  forget()
  vi.unstubAllGlobals()
})

/** From now on the server returns this user as signed in. */
function answerWith(me: Me | null): void {
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async () => Response.json(me))
}

test('session ended by the server -> cached data is cleared, listeners are notified', async () => {
  answerWith(null)
  await handleSessionEnd()
  expect([currentMe(), queryClient.getQueryData(privateKey), ended]).toEqual([null, undefined, 1])
})

test('session ended with an error -> the error is available until the next sign-in', async () => {
  answerWith(null)
  await handleSessionEnd('Base Settings Error 1')
  expect(sessionError()).toMatchObject({ key: 'Base Settings Error 1' })
  answerWith(user('b'))
  await switchSession()
  expect(sessionError()).toBeNull()
  answerWith(null)
  await handleSessionEnd('the session has ended')
  expect(sessionError()).toBeNull()
})

test("another user signed in in this browser -> the former user's data is cleared", async () => {
  answerWith(user('b'))
  await handleSessionEnd()
  expect([currentMe()?.uid, queryClient.getQueryData(privateKey), ended]).toEqual(['b', undefined, 1])
})

test('another session of the same user -> nothing changes', async () => {
  answerWith(user('a'))
  await handleSessionEnd()
  expect([currentMe()?.uid, queryClient.getQueryData(privateKey), ended]).toEqual(['a', ['a trip'], 0])
})

test('user has signed out themselves -> no redirect', async () => {
  storeMe(null)
  answerWith(null)
  await handleSessionEnd()
  expect(ended).toBe(0)
})
