import type { Me } from '@hansom/contract/users'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endingApi } from './api.ts'
import { KeptFor } from './per-user-storage.ts'
import { queryClient } from './query-client.ts'
import {
  currentMe,
  endLeftSession,
  handleSessionEnd,
  hasLeft,
  leaveAfter,
  leaveIfLeft,
  onSessionChange,
  onSessionEnded,
  refreshMe,
  sessionError,
  signOut,
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

test.each(['Base Settings Error 1', 'signed_out_elsewhere'])(
  'session ended with %s -> the error is available until the next sign-in',
  async (key) => {
    answerWith(null)
    await handleSessionEnd(key)
    expect(sessionError()).toMatchObject({ key })
    answerWith(user('b'))
    await switchSession()
    expect(sessionError()).toBeNull()
    answerWith(null)
    await handleSessionEnd('the session has ended')
    expect(sessionError()).toBeNull()
  },
)

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

test('this page ends its session, and is told of the end before the answer -> no redirect', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    if (!String(url instanceof Request ? url.url : url).endsWith('/me')) await answered
    return Response.json(null)
  })
  localStorage.setItem('hansom-panic', JSON.stringify({ uid: 'a', items: [1] }))
  const left = leaveAfter(() => endingApi.accounts.signOutEverywhere())
  const told = handleSessionEnd('signed_out_elsewhere')
  // The page learns that no one is signed in before its own call is answered.
  await vi.waitFor(() => expect(currentMe()).toBeNull())
  answer()
  await Promise.all([left, told])
  expect([currentMe(), ended, sessionError()]).toEqual([null, 0, null])
  expect(localStorage.getItem('hansom-panic')).toBeNull()
  answerWith(user('a'))
  await switchSession()
  answerWith(null)
  await handleSessionEnd()
  expect(ended).toBe(1)
})

test('this page fails to end its session, which has ended elsewhere -> redirect', async () => {
  answerWith(null)
  const left = leaveAfter(() => Promise.reject(new Error('no answer')))
  await expect(left).rejects.toThrow('no answer')
  await handleSessionEnd()
  expect([currentMe(), ended]).toEqual([null, 1])
})

/** A server that can be reached or not; returns the paths that it heard. */
function serve(server: { me: Me | null; isReachable: boolean; status?: number }): string[] {
  const heard: string[] = []
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async (input: string | Request) => {
    if (!server.isReachable) throw new TypeError('Failed to fetch')
    const { pathname } = new URL(typeof input === 'string' ? input : input.url, 'http://localhost')
    heard.push(pathname)
    if (pathname !== '/api/auth/sign-out') return Response.json(server.me)
    if (server.status) return Response.json({ error: 'invalid_input' }, { status: server.status })
    server.me = null
    return Response.json({})
  })
  return heard
}

test('sign-out without a connection -> the user is gone at once, the session ends when it is back', async () => {
  const server = { me: user('a'), isReachable: false }
  const heard = serve(server)
  let changes = 0
  onSessionChange(() => (changes += 1))
  await signOut()
  expect([currentMe(), queryClient.getQueryData(privateKey), changes]).toEqual([null, undefined, 1])
  expect(hasLeft('a')).toBe(true)
  await expect(endLeftSession()).rejects.toMatchObject({ status: 0 })

  server.isReachable = true
  // Asking who is signed in ends the session first.
  const [me] = await Promise.all([refreshMe(), endLeftSession()])
  expect([me, hasLeft('a')]).toEqual([null, false])
  expect(heard).toEqual(['/api/v1/me', '/api/auth/sign-out', '/api/v1/me'])
})

test('same user has signed in again -> the new session goes on', async () => {
  const server = { me: user('a'), isReachable: false }
  const heard = serve(server)
  await signOut()
  server.isReachable = true
  expect((await switchSession())?.uid).toBe('a')
  expect(heard).not.toContain('/api/auth/sign-out')
  expect(hasLeft('a')).toBe(false)
})

test('end of a left session refused -> does not block the next sign-in', async () => {
  const server = { me: user('a'), isReachable: false, status: 0 }
  serve(server)
  await signOut()
  Object.assign(server, { isReachable: true, status: 403 })
  await endLeftSession()
  expect(hasLeft('a')).toBe(false)
})

test('signed out in another page -> leaves here; refused there -> returns', async () => {
  serve({ me: user('a'), isReachable: true })
  localStorage.setItem('hansom-left', 'a')
  leaveIfLeft({ key: 'hansom-left', newValue: 'a' })
  expect(currentMe()).toBeNull()
  localStorage.removeItem('hansom-left')
  leaveIfLeft({ key: 'hansom-left', newValue: null })
  await vi.waitFor(() => expect(currentMe()?.uid).toBe('a'))
})

test('same user signed in again in another page -> what they write here is stored again', async () => {
  const kept = new KeptFor<number>(localStorage, 'hansom-of-a-test', 'a')
  const server: Parameters<typeof serve>[0] = { me: user('a'), isReachable: true }
  serve(server)
  await signOut()
  kept.write([1])
  expect(kept.read()).toEqual([])
  server.me = user('a')
  await refreshMe()
  kept.write([2])
  expect(kept.read()).toEqual([2])
})

test('another user has signed in meanwhile -> their session goes on', async () => {
  const server = { me: user('a'), isReachable: false }
  const heard = serve(server)
  await signOut()
  Object.assign(server, { me: user('b'), isReachable: true })
  expect((await refreshMe())?.uid).toBe('b')
  expect(heard).not.toContain('/api/auth/sign-out')
  expect(hasLeft('a')).toBe(false)
})

test('sign-out refused by the server -> the user stays', async () => {
  serve({ me: user('a'), isReachable: true, status: 403 })
  await expect(signOut()).rejects.toMatchObject({ key: 'invalid_input' })
  expect([currentMe()?.uid, hasLeft('a')]).toEqual(['a', false])
})

test.each([
  ['signs out without a connection', 'nothing of theirs is left', false, () => signOut(), []],
  ['signs out', 'nothing of theirs is left', true, () => signOut(), []],
  [
    'is signed out by the server',
    'what they have not sent stays',
    true,
    () => handleSessionEnd(),
    ['hansom-panic'],
  ],
])('user %s -> %s in the storage', async (_how, _outcome, isReachable, leave, left) => {
  const server = { me: user('a') as Me | null, isReachable }
  serve(server)
  localStorage.setItem('hansom-panic', JSON.stringify({ uid: 'a', items: [1] }))
  localStorage.setItem('hansom-alarm-closed', '5')
  localStorage.setItem('hansom-theme', 'dark')
  if (isReachable) server.me = null
  await leave()
  const kept = Object.keys(localStorage).filter((key) => key !== 'hansom-left')
  expect(kept.toSorted()).toEqual([...left, 'hansom-theme'])
})
