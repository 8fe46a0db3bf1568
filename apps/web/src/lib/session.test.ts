import type { Me } from '@hansom/contract/users'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import {
  changePerson,
  currentMe,
  followSessionEnd,
  onSessionEnded,
  sessionError,
  storeMe,
} from './session.ts'

const person = (uid: string) => ({ uid, version: 1 }) as Me
const private_ = ['bookings of the person']
let ended: number
let forget: () => void
beforeEach(() => {
  ended = 0
  forget = onSessionEnded(() => (ended += 1))
  queryClient.clear()
  storeMe(person('a'))
  queryClient.setQueryData(private_, ['a trip'])
})
afterEach(() => {
  forget()
  vi.unstubAllGlobals()
})

/** From now on the server answers that this is who asks. */
function answerWith(me: Me | null): void {
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async () => Response.json(me))
}

test('whoever is shut out leaves nothing on the page, and the page learns of it', async () => {
  answerWith(null)
  await followSessionEnd()
  expect([currentMe(), queryClient.getQueryData(private_), ended]).toEqual([null, undefined, 1])
})

test('whoever is shut out for an error can read it until somebody signs in', async () => {
  answerWith(null)
  await followSessionEnd('Base Settings Error 1')
  expect(sessionError()).toMatchObject({ key: 'Base Settings Error 1' })
  answerWith(person('b'))
  await changePerson()
  expect(sessionError()).toBeNull()
  answerWith(null)
  await followSessionEnd('the session has ended')
  expect(sessionError()).toBeNull()
})

test('somebody else in the same browser finds nothing of the former person', async () => {
  answerWith(person('b'))
  await followSessionEnd()
  expect([currentMe()?.uid, queryClient.getQueryData(private_), ended]).toEqual(['b', undefined, 1])
})

test('another session of the same person goes on', async () => {
  answerWith(person('a'))
  await followSessionEnd()
  expect([currentMe()?.uid, queryClient.getQueryData(private_), ended]).toEqual(['a', ['a trip'], 0])
})

test('whoever has signed out by hand is not sent anywhere', async () => {
  storeMe(null)
  answerWith(null)
  await followSessionEnd()
  expect(ended).toBe(0)
})
