import type { Me } from '@hansom/contract/users'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orpc } from './api.ts'
import { ApiError, readRefusal, toApiError } from './api-error.ts'
import { queryClient } from './query-client.ts'

const options = { ...orpc.users.me.queryOptions(), staleTime: 5 * 60_000 }

/** Puts the signed-in person into the cache (null: nobody); an older version never wins. */
export function storeMe(me: Me | null): void {
  queryClient.setQueryData(options.queryKey, (old) =>
    old && me && old.uid === me.uid && old.version > me.version ? old : me,
  )
}

/** The signed-in person, or null. */
export function useMe(): Me | null {
  return useSuspenseQuery(options).data
}

/** Asks the server who is signed in. */
export function refreshMe(): Promise<Me | null> {
  return queryClient.fetchQuery({ ...options, staleTime: 0 })
}

/** Learns the balance anew when a part that counts it opens: money moves without the person doing anything. */
export function useFreshBalance(): void {
  useEffect(() => void refreshMe().catch(() => {}), [])
}

/** The last known answer, outside of React. */
export function currentMe(): Me | null {
  return queryClient.getQueryData(options.queryKey) ?? null
}

const listeners = new Set<() => void>()
/** Calls `listener` whenever another person, or nobody, is signed in. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Errors that end the session of somebody who is signed in. */
const sessionErrors = ['Base Settings Error 1'] as const
let endedFor: (typeof sessionErrors)[number] | null = null
/** The error that ended the session here; null when nothing did, or somebody has signed in since. */
export function sessionError(): ApiError | null {
  return endedFor && new ApiError(endedFor, 403)
}

const endings = new Set<() => void>()
/** Calls `listener` when the server has ended the session of whoever was here. */
export function onSessionEnded(listener: () => void): () => void {
  endings.add(listener)
  return () => endings.delete(listener)
}

/**
 * The server has ended a session: learns who is here now. When it is somebody else, or nobody, what belonged to the former
 * person is forgotten; another session of the same person (after a changed password) goes on. `why` may be the key of an
 * error. Throws an ApiError.
 */
export async function followSessionEnd(why = ''): Promise<void> {
  const before = currentMe()
  const me = await refreshMe()
  if (before === null || me?.uid === before.uid) return
  await changePerson()
  endedFor = sessionErrors.find((key) => key === why) ?? null
  for (const listener of endings) listener()
}

async function post(path: string, body: unknown): Promise<void> {
  let response: Response
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  } catch (error) {
    throw toApiError(error)
  }
  if (!response.ok) throw readRefusal(await response.json().catch(() => null), response.status)
}

/** Forgets everything that belonged to the former person, and learns who is there now. Called after every sign-in and sign-out. */
export async function changePerson(): Promise<Me | null> {
  queryClient.removeQueries({
    predicate: ({ queryKey }) => {
      const root = JSON.stringify(queryKey)
      return (
        !root.startsWith('[["settings"') &&
        !root.startsWith('[["languages"') &&
        !root.includes('"users","me"')
      )
    },
  })
  endedFor = null
  const me = await refreshMe()
  for (const listener of listeners) listener()
  return me
}

/** Signs in by e-mail. Throws an ApiError such as `login_error` or `require_approval`. */
export async function signIn(email: string, password: string): Promise<Me | null> {
  await post('/api/auth/sign-in/email', { email, password })
  return changePerson()
}

/** Ends the session here. */
export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {})
  await changePerson()
}
