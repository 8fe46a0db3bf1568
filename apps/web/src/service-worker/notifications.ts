import type { CloseMessage, PushData, ShowMessage } from '@hansom/domain/devices/web-message'
import { deviceCache, deviceUrl } from '../lib/stored-pages.ts'
import { openPages, type SubscriptionEvent, worker } from './worker.ts'

/** A push message; another release of the server may send one that has neither part. */
export type Message = Partial<Pick<ShowMessage, 'notification'> & CloseMessage>

/** Shows a notification, unless the page it leads to is open in front of the user. */
export async function show({ title, navigate, data, ...rest }: ShowMessage['notification']): Promise<void> {
  const path = new URL(navigate).pathname
  const isInFront = (await openPages()).some(({ url, focused }) => focused && new URL(url).pathname === path)
  if (isInFront && data.kind !== 'test') return
  await worker.registration.showNotification(title, {
    ...rest,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    timestamp: data.at,
    vibrate: data.kind === 'requests' ? [300, 100, 300, 100, 300] : [200],
    data: { ...data, navigate },
  } as NotificationOptions)
}

export async function closeTags(tags: readonly string[]): Promise<void> {
  for (const tag of tags) {
    for (const shown of await worker.registration.getNotifications({ tag })) shown.close()
  }
}

/** Opens the page of a pressed notification, and marks it as read. */
export async function press(notification: Notification): Promise<void> {
  notification.close()
  const { id, navigate } = notification.data as PushData & { navigate: string }
  await Promise.all([open(navigate), id === null ? null : markRead(id)])
}

/** An open page goes there without a reload; otherwise the app opens there. */
async function open(url: string): Promise<void> {
  const pages = await openPages()
  const page = pages.find(({ url: shown }) => shown === url) ?? pages[0]
  if (!page || !(await lead(page, url))) await worker.clients.openWindow(url)
}

type Page = Awaited<ReturnType<typeof openPages>>[number]

/** Leads an open page to the URL; false if it can neither be focused nor led there. */
async function lead(page: Page, url: string): Promise<boolean> {
  try {
    await page.focus()
    // A page without the app, or one that is still starting, does not answer.
    if (!(await answers(page, { open: url.slice(new URL(url).origin.length) }))) await page.navigate(url)
    return true
  } catch {
    return false
  }
}

/** How long a page may take to answer, ms: it listens at the latest two seconds after its start. */
const answerMs = 3_000

function answers(page: Page, message: object): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), answerMs)
    port1.onmessage = () => {
      clearTimeout(timer)
      resolve(true)
    }
    page.postMessage(message, [port2])
  }).finally(() => port1.close())
}

const sendJson = (path: string, body: object) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** The page that opens marks it too; without a connection neither does. */
async function markRead(id: string): Promise<void> {
  await sendJson('/api/v1/me/notifications/read', { ids: [id] }).catch(() => {})
}

/** The push service has replaced or ended the subscription: registers the new one, if the user still wants notifications. */
export async function renewSubscription({ newSubscription }: SubscriptionEvent): Promise<void> {
  const registered = await (await caches.open(deviceCache)).match(deviceUrl)
  if (!registered) return
  const { key } = (await (await fetch('/api/v1/push/key')).json()) as { key: string }
  const subscription =
    newSubscription ??
    (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  const { endpoint, keys } = subscription.toJSON()
  await sendJson('/api/v1/push/devices', {
    ...((await registered.json()) as object),
    kind: 'web',
    endpoint,
    keys,
  })
}
