import { ApiError, isTemporary } from '@hansom/client/api-error'
import { signOut as endSession, signInByEmail } from '@hansom/client/session'
import type { Me } from '@hansom/contract/users'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, orpc } from './api.ts'
import { queryClient } from './query-client.ts'
import { clearStored, isBack } from './stored-keys.ts'
import { pagesCache } from './stored-pages.ts'

const asked = orpc.users.me.queryOptions()
const options = {
  ...asked,
  staleTime: 5 * 60_000,
  queryFn: async (context: Parameters<typeof asked.queryFn>[0]) => {
    await endLeftSession()
    const me = await asked.queryFn(context)
    // An answer from before a sign-out, which cancels it, brings no one back.
    if (me && !context.signal.aborted) isBack(me.uid)
    return me
  },
}

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
const sessionErrors = ['Base Settings Error 1', 'signed_out_elsewhere'] as const
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
  const count = leaves
  const me = await refreshMe()
  await ownEnd
  // A user who is leaving is not told of it.
  if (before === null || me?.uid === before.uid || leaves > count) return
  await switchSession(before.uid, true)
  endedFor = sessionErrors.find((key) => key === reason) ?? null
  for (const listener of endings) listener()
}

/** Removes the former user's data from memory. */
function forgetUser(): void {
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
}

const forgetImages = ({ imageStore }: typeof import('./image-store.ts')) =>
  imageStore.forgetOthers(currentMe()?.uid ?? null)

/** Removes what the former user has left on the device, and informs the listeners. */
function changed(before: string | null, isEnded = false): void {
  const now = currentMe()?.uid ?? null
  clearStored(before, now, isEnded)
  // On demand, because few visitors have images here; without the file, none was stored by this page.
  if (now !== null || (before !== null && !isEnded))
    void import('./image-store.ts').then(forgetImages, () => {})
  for (const listener of listeners) listener()
}

/**
 * Clears the data of the former user `before`, and loads the current user. Called after every sign-in, and with `isEnded` when
 * the server has ended the session.
 */
export async function switchSession(
  before: string | null = currentMe()?.uid ?? null,
  isEnded = false,
): Promise<Me | null> {
  forgetUser()
  // The new session has replaced the one that was left.
  localStorage.removeItem(leftKey)
  const me = await refreshMe()
  changed(before, isEnded)
  return me
}

/** Signs in by email. Throws an ApiError such as `login_error` or `require_approval`. */
export async function signIn(email: string, password: string): Promise<Me | null> {
  await endLeftSession()
  await signInByEmail({}, email, password)
  return switchSession()
}

/** The user who has left this device, whose session the server has not ended yet. */
const leftKey = 'hansom-left'
/** How long signing out waits for the server, ms. */
const leaveMs = 5_000

/**
 * Signs out on this device, and ends the session: without a connection, when it is back (`endLeftSession`). Throws an
 * ApiError if the server refuses.
 */
export async function signOut(): Promise<void> {
  const uid = currentMe()?.uid
  // Before the call: the page may be closed while it waits.
  if (uid !== undefined) localStorage.setItem(leftKey, uid)
  void globalThis.caches?.delete(pagesCache)
  await leaveAfter(async () => {
    try {
      await endSession({
        fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(leaveMs) }),
      })
      localStorage.removeItem(leftKey)
    } catch (error) {
      if (!isTemporary(error)) {
        localStorage.removeItem(leftKey)
        throw error
      }
    }
  })
}

let leaves = 0
/** Makes this page one without the user `before`, whose session has ended. */
function leaveDevice(before = currentMe()?.uid ?? null): void {
  leaves++
  // An answer from before must not bring the user back.
  void queryClient.cancelQueries({ queryKey: options.queryKey })
  forgetUser()
  storeMe(null)
  changed(before)
}

/** Resolves when this page is not ending its session. */
let ownEnd: Promise<unknown> = Promise.resolve()
/**
 * Leaves the device after `end`, which ends this page's session among others: that the server says so before it answers is no
 * news to this page. Throws the error of `end`.
 */
export function leaveAfter(end: () => Promise<unknown>): Promise<void> {
  const uid = currentMe()?.uid
  const left = end().then(() => leaveDevice(uid))
  ownEnd = left.catch(() => {})
  return left
}

/** True if this user has signed out on this device, though the session may still go on. */
export const hasLeft = (uid: string): boolean => localStorage.getItem(leftKey) === uid

let ending: Promise<void> | undefined
/** Ends the session that was left without a connection, if there is one. Throws an ApiError. */
export function endLeftSession(): Promise<void> {
  const uid = localStorage.getItem(leftKey)
  if (uid === null) return Promise.resolve()
  ending ??= end(uid).finally(() => {
    ending = undefined
  })
  return ending
}

async function end(uid: string): Promise<void> {
  // Another user may have signed in meanwhile.
  try {
    if ((await api.users.me())?.uid === uid) await endSession({})
  } catch (error) {
    // A refused sign-out must not block every later sign-in.
    if (isTemporary(error)) throw error
  }
  localStorage.removeItem(leftKey)
}

/**
 * Leaves in this page, too, if the user has signed out in another one without a connection. Returns if the server has
 * refused that.
 */
export function leaveIfLeft({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): void {
  if (key !== leftKey) return
  const me = currentMe()
  if (newValue === null && me === null) return void switchSession().catch(() => {})
  if (me === null || !hasLeft(me.uid)) return
  leaveDevice()
  for (const listener of endings) listener()
}
