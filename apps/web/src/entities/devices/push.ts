import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { useSyncExternalStore } from 'react'
import { api } from '../../lib/api.ts'
import { currentMe, onSessionChange } from '../../lib/session.ts'
import { deviceCache, deviceUrl } from '../../lib/stored-pages.ts'

/**
 * Whether this browser shows notifications. `install_first`: iPhones and iPads do so only for the installed app. `denied`:
 * the user has forbidden it in the browser's settings.
 */
export type PushState = 'unsupported' | 'install_first' | 'denied' | 'off' | 'on'

/** The user who has allowed notifications in this browser. */
const choiceKey = 'hansom-push'

let state: PushState = presentState()
const listeners = new Set<() => void>()

function setState(next: PushState): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether this browser shows notifications for the signed-in user. */
export const usePushState = (): PushState =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => 'unsupported',
  )

function presentState(): PushState {
  if (typeof navigator === 'undefined' || !('serviceWorker' in navigator)) return 'unsupported'
  if (!('PushManager' in globalThis) || !('Notification' in globalThis)) {
    const isInstalled = matchMedia('(display-mode: standalone)').matches
    return platformOf(navigator) === 'IOS' && !isInstalled ? 'install_first' : 'unsupported'
  }
  if (Notification.permission === 'denied') return 'denied'
  return isChosen() ? 'on' : 'off'
}

function isChosen(): boolean {
  const me = currentMe()
  return me !== null && Notification.permission === 'granted' && localStorage.getItem(choiceKey) === me.uid
}

/** The platform of the device: an iPad reports itself as a Mac with a touch screen. Null for a computer. */
export function platformOf({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): PushPlatform | null {
  if (/android/i.test(userAgent)) return 'ANDROID'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'IOS'
  return /macintosh/i.test(userAgent) && maxTouchPoints > 1 ? 'IOS' : null
}

/**
 * Asks for permission and registers this browser. Call it from a click: browsers ignore the request otherwise. Throws an
 * ApiError or an error of the push service.
 */
export async function enablePush(): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission === 'granted') await register()
  else setState(presentState())
  return state
}

/** Stops notifications to this browser. Throws an ApiError; then they stay on. */
export async function disablePush(): Promise<void> {
  const subscription = await currentSubscription()
  if (subscription) await api.devices.forget({ token: subscription.endpoint })
  localStorage.removeItem(choiceKey)
  await caches.delete(deviceCache)
  await subscription?.unsubscribe()
  setState('off')
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Subscribes at the browser's push service and registers with the server; repeatable. */
async function register(): Promise<void> {
  const uid = currentMe()?.uid
  if (uid === undefined) return
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const { key } = await api.devices.key()
  const subscription = await subscribeWith(pushManager, key)
  const { endpoint, keys } = subscription.toJSON()
  const device = { platform: platformOf(navigator), locale: document.documentElement.lang }
  // Another user has signed in meanwhile, and decides on their own.
  if (currentMe()?.uid !== uid) return
  await api.devices.register({
    ...device,
    kind: 'web',
    endpoint: endpoint ?? subscription.endpoint,
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  })
  if (currentMe()?.uid !== uid) return
  localStorage.setItem(choiceKey, uid)
  // For the service worker, when the push service replaces the subscription.
  await (await caches.open(deviceCache)).put(deviceUrl, new Response(JSON.stringify(device)))
  setState(presentState())
}

/** A subscription made with another key, such as before a move of the server, is replaced. */
async function subscribeWith(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options)
  }
}

/**
 * Registers this browser again if the signed-in user has allowed notifications here: subscriptions expire, and signing
 * out removes them.
 */
function renew(): void {
  setState(presentState())
  if (state === 'on') void register().catch(() => {})
  if (currentMe() === null) void leave().catch(() => {})
}

/** Removes what is left of a user who has signed out, here or everywhere: the server has forgotten the session's devices. */
async function leave(): Promise<void> {
  await navigator.clearAppBadge?.()
  await globalThis.caches?.delete(deviceCache)
  const registration = await navigator.serviceWorker?.getRegistration('/')
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

/** Follows the session, beginning with the present one. */
export function followSession(): void {
  renew()
  onSessionChange(renew)
}

/** Closes the shown notifications with these ids: they were read in the app, here or elsewhere. */
export const closeShown = (ids: readonly string[]): Promise<void> =>
  closeThose(({ data }) => {
    const { id } = (data ?? {}) as { id?: string | null }
    return id != null && ids.includes(id)
  })

/** Closes the shown notifications with this tag: the server leaves out the session that has read what they are about. */
export const closeShownTag = (tag: string): Promise<void> => closeThose((shown) => shown.tag === tag)

async function closeThose(isMeant: (shown: Notification) => boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  for (const shown of (await registration?.getNotifications()) ?? []) if (isMeant(shown)) shown.close()
}
