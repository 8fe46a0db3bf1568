export interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
export interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(response: Promise<Response>): void
}
export interface PushEvent extends WorkerEvent {
  data: { json(): unknown } | null
}
export interface ClickEvent extends WorkerEvent {
  notification: Notification
}
export interface SubscriptionEvent extends WorkerEvent {
  newSubscription?: PushSubscription | null
}
interface Page {
  id: string
  url: string
  focused: boolean
  focus(): Promise<unknown>
  /** Rejects for a page that this worker does not control. */
  navigate(url: string): Promise<unknown>
  postMessage(message: unknown, transfer: Transferable[]): void
}
interface Events {
  install: WorkerEvent
  activate: WorkerEvent
  message: WorkerEvent & { data: unknown; source: { id: string } }
  fetch: FetchEvent
  push: PushEvent
  notificationclick: ClickEvent
  pushsubscriptionchange: SubscriptionEvent
}

/** The worker's global scope; the library of workers contradicts that of pages. */
export const worker = globalThis as unknown as {
  addEventListener<Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => void): void
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: Pick<ServiceWorkerRegistration, 'getNotifications' | 'pushManager' | 'showNotification'>
  skipWaiting(): Promise<void>
  location: Location
}

/** The open windows of the site. */
export const openPages = (): Promise<Page[]> =>
  worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
