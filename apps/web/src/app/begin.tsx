import { leaving } from '../entities/users/leave-question.ts'
import { hasLeft } from '../lib/session.ts'
import { startMark, whenInteracted } from '../lib/use-idle.ts'
import { loadModal } from '../ui/modal.tsx'
import { App } from './app.tsx'
import { preserveClicks } from './preserve-clicks.ts'
import { createAppRouter } from './router.tsx'
import { fetchBoot, pageReceivedAt, readBoot, restoreKept, startPage, startSession } from './start-page.ts'
import { swapPrerendered } from './swap-prerendered.tsx'

/** Yields to the event loop, so that input and painting can happen between two pieces of work. */
const pause = () => new Promise<void>((resume) => setTimeout(resume))

/** Starts the app. Throws an ApiError if the page came without boot data and fetching it fails. */
export async function begin(): Promise<void> {
  performance.mark(startMark)
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root')
  await pause()
  const sent = readBoot()
  const { boot, user, kept } = sent ?? (await fetchBoot())
  startPage(boot)
  // The page may have been stored before its user signed out.
  const isLeft = user !== null && hasLeft(user.me.uid)
  if (user && !isLeft) startSession(user, sent ? pageReceivedAt() : undefined)
  if (kept && !isLeft) restoreKept(kept)
  await pause()
  const router = createAppRouter()
  await pause()
  // The first screen is complete before it replaces the prerendered one.
  await router.load()
  await swapPrerendered(root, <App router={router} />)
  preserveClicks()
  // A dialog that opens later must not wait for its code, or fail without a connection.
  whenInteracted(() => void loadModal().catch(() => {}))

  // The first screen does not wait for the live connection.
  if ('requestIdleCallback' in window) requestIdleCallback(() => void follow(router), { timeout: 2_000 })
  else setTimeout(() => void follow(router), 500)
}

async function follow(router: ReturnType<typeof createAppRouter>): Promise<void> {
  const { followCatalogue, followSignOut } = await import('../lib/live-updates.ts')
  followCatalogue()
  const [{ keepOffline }, { followSession }, { followLanguage }] = await Promise.all([
    import('./keep-offline.ts'),
    import('../entities/devices/push.ts'),
    import('./follow-language.ts'),
  ])
  leaving.sendSteps = async (uid) => (await import('../features/driver/use-offline-queue.ts')).sendOutbox(uid)
  keepOffline(router)
  followSession()
  followSignOut()
  followLanguage()
  // A pressed notification opens its page here.
  navigator.serviceWorker?.addEventListener('message', ({ data, ports }) => {
    if (typeof data?.open !== 'string') return
    ports[0]?.postMessage('taken')
    void router.navigate({ href: data.open })
  })
}
