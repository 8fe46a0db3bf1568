import { ApiError } from '@hansom/client/api-error'
import { signOut as endSession, signInByEmail } from '@hansom/client/session'
import type { Me } from '@hansom/contract/users'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orpc } from './api.ts'
import { queryClient } from './query-client.ts'

const options = { ...orpc.users.me.queryOptions(), staleTime: 5 * 60_000 }

/** Stores the signed-in user in the cache (null: no session); an older version never replaces a newer one. */
export function storeMe(me: Me | null): void {
  queryClient.setQueryData(options.queryKey, (old) =>
    old && me && old.uid === me.uid && old.version > me.version ? old : me,
  )
}

/** The signed-in user, or null. */
export function useMe(): Me | null {
  return useSuspenseQuery(options).data
}

/** Asks the server who is signed in. */
export function refreshMe(): Promise<Me | null> {
  return queryClient.fetchQuery({ ...options, staleTime: 0 })
}

/** Refetches the balance when a component that shows it mounts: it changes without any action of the user. */
export function useFreshBalance(): void {
  useEffect(() => void refreshMe().catch(() => {}), [])
}

/** The cached user, outside of React. */
export function currentMe(): Me | null {
  return queryClient.getQueryData(options.queryKey) ?? null
}

const listeners = new Set<() => void>()
/** Calls `listener` whenever the signed-in user changes, including signing out. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Errors that end the session of a signed-in user. */
const sessionErrors = ['Base Settings Error 1'] as const
let endedFor: (typeof sessionErrors)[number] | null = null
/** The error that ended the session; null if none did, or after a new sign-in. */
export function sessionError(): ApiError | null {
  return endedFor && new ApiError(endedFor, 403)
}

const endings = new Set<() => void>()
/** Calls `listener` when the server has ended the user's session. */
export function onSessionEnded(listener: () => void): () => void {
  endings.add(listener)
  return () => endings.delete(listener)
}

/**
 * Handles the end of a session by the server: finds out who is signed in now. If the user changed, clears the former
 * user's data; another session of the same user (after a password change) continues. `reason` may be an error key.
 * Throws an ApiError.
 */
export async function handleSessionEnd(reason = ''): Promise<void> {
  const before = currentMe()
  const me = await refreshMe()
  if (before === null || me?.uid === before.uid) return
  await switchSession()
  endedFor = sessionErrors.find((key) => key === reason) ?? null
  for (const listener of endings) listener()
}

/** Clears the former user's data and loads the current user. Called after every sign-in and sign-out. */
export async function switchSession(): Promise<Me | null> {
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

/** Signs in by email. Throws an ApiError such as `login_error` or `require_approval`. */
export async function signIn(email: string, password: string): Promise<Me | null> {
  await signInByEmail({}, email, password)
  return switchSession()
}

/** Ends this session. */
export async function signOut(): Promise<void> {
  await endSession({})
  await switchSession()
}
