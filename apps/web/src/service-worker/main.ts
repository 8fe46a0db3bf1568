// The script of /sw.js: pages without a connection, and notifications. The build bundles it into one classic script, whose
// text differs in every build.

import { type KeepMessage, ownCaches } from '../lib/stored-pages.ts'
import { fixedFile, fixedFiles, hashedFile, isPage, keep, page } from './kept-pages.ts'
import { closeTags, type Message, press, renewSubscription, show } from './notifications.ts'
import { worker } from './worker.ts'

// Open pages go on with the files that they have loaded, so a new worker need not wait for them to close.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('message', (event) =>
  event.waitUntil(keep(event.data as KeepMessage, event.source.id)),
)

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== worker.location.origin) return
  if (request.method !== 'GET') {
    // The next user of this device must not see the former one's pages.
    if (pathname.startsWith('/api/auth/')) event.respondWith(clearAfter(request))
  } else if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(page(request, pathname))
  } else if (pathname.startsWith('/assets/')) event.respondWith(hashedFile(request))
  else if (fixedFiles.includes(pathname)) event.respondWith(fixedFile(request))
})

worker.addEventListener('push', (event) => {
  const { notification, close } = (event.data?.json() ?? {}) as Message
  if (close) event.waitUntil(closeTags(close.tags))
  if (notification) event.waitUntil(show(notification))
})

worker.addEventListener('notificationclick', (event) => event.waitUntil(press(event.notification)))

worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)))

/** Signing in or out removes everything that was stored. */
async function clearAfter(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (!response.ok) return response
  for (const name of await caches.keys()) if (name.startsWith(ownCaches)) await caches.delete(name)
  for (const shown of await worker.registration.getNotifications()) shown.close()
  // The server has forgotten the session's devices; the browser must not receive what is still on its way.
  if (new URL(request.url).pathname === '/api/auth/sign-out') {
    await (await worker.registration.pushManager.getSubscription())?.unsubscribe()
  }
  return response
}
