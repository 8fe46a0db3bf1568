import { type RefObject, useEffect, useRef } from 'react'

/** An open dialog, drawer or sheet. */
interface Modal {
  close: () => void
  /** Whether Back closes it; false if the URL or a navigation opened it. */
  hasEntry: boolean
}

/** Marks a history entry: `depth` modals were open on this visit of a page. Stored in the entry's state. */
interface Mark {
  visit: string
  depth: number
}

/** A traversal that the browser does not perform, for instance past an entry of an embedded page, ms. */
const traversalTimeout = 300

const open: Modal[] = []
let settling: ReturnType<typeof setTimeout> | undefined
/** The mark of the current entry; a pop event comes too late to read it. */
let current: Mark | null = null
/** Resolves when the entries of closed modals have been left. */
let leaving: Promise<void> | null = null
let left = () => {}

/** The page is being left for another document: going back would cancel that. */
let isUnloading = false

function onBeforeUnload(): void {
  isUnloading = true
  // The user may stay, or the response is a download.
  setTimeout(() => {
    isUnloading = false
    settleSoon()
  }, 3000)
}

const markOf = (state: unknown) => (state as { modals?: Mark } | null)?.modals ?? null
const withEntry = () => open.filter(({ hasEntry }) => hasEntry)

/** Calls the browser itself: the router replaces these methods, and a modal is not a navigation. */
function write(method: 'pushState' | 'replaceState', mark: Mark): void {
  History.prototype[method].call(history, { ...history.state, modals: mark }, '')
  current = mark
}

/** Goes back to the entry of this page with `depth` open modals. */
function leaveTo(depth: number): Promise<void> {
  if (leaving) return leaving
  const step = depth - (current?.depth ?? 0)
  if (step >= 0) return Promise.resolve()
  leaving = new Promise((resolve) => {
    left = resolve
    setTimeout(resolve, traversalTimeout)
  })
  void leaving.then(() => {
    leaving = null
  })
  history.go(step)
  return leaving
}

/** Makes the entries agree with the open modals. */
function settle(): void {
  if (leaving || isUnloading) return
  const wanted = withEntry().length
  const mark = markOf(history.state) ?? { visit: `${Date.now()}-${Math.random()}`, depth: 0 }
  if (mark.depth > wanted) return void leaveTo(wanted)
  if (mark.depth === wanted) return
  if (mark.depth === 0) write('replaceState', mark)
  for (let depth = mark.depth + 1; depth <= wanted; depth++) write('pushState', { ...mark, depth })
}

/** Waits, because one modal often replaces another, and a navigation is written after its event. */
function settleSoon(): void {
  clearTimeout(settling)
  settling = setTimeout(settle)
}

function onPopState(event: PopStateEvent): void {
  const before = current
  current = markOf(event.state)
  if (!before || current?.visit !== before.visit) return
  // Both entries are the same page, so the router has nothing to do.
  event.stopImmediatePropagation()
  if (leaving) left()
  else for (const modal of withEntry().slice(current.depth).reverse()) modal.close()
  // A modal may have refused to close, or has opened or closed meanwhile.
  settleSoon()
}

type Navigate = (path: string, state?: unknown, options?: { ignoreBlocker?: boolean }) => void

interface PageHistory {
  push: Navigate
  replace: Navigate
  subscribe: (listener: (change: { location: { state: unknown } }) => void) => () => void
}

/**
 * Starts handling Back for modals in the router's history. A navigation starts from the page's own entry, so Back from
 * the next page shows the page without its modals. Returns a function that stops it.
 */
export function watchModalHistory(router: PageHistory): () => void {
  current = markOf(history.state)
  addEventListener('popstate', onPopState, { capture: true })
  addEventListener('beforeunload', onBeforeUnload)
  // After a reload, the page starts without its modals.
  void leaveTo(0)
  const { push, replace } = router
  const fromPage =
    (navigate: Navigate): Navigate =>
    (...to) => {
      if (!leaving && !current?.depth) return navigate(...to)
      void Promise.resolve(leaving)
        .then(() => leaveTo(0))
        .then(() => navigate(...to))
    }
  router.push = fromPage(push)
  router.replace = fromPage(replace)
  const leave = router.subscribe(({ location }) => {
    current = markOf(location.state)
    settleSoon()
  })
  return () => {
    leave()
    Object.assign(router, { push, replace })
    removeEventListener('popstate', onPopState, { capture: true })
    removeEventListener('beforeunload', onBeforeUnload)
  }
}

/**
 * Registers an open modal: Back closes it and stays on the page. Returns whether it is the topmost one, the only one
 * that reacts to Esc.
 */
export function useModalHistory(isOpen: boolean, onClose: () => void, hasEntry: boolean): () => boolean {
  const close = useRef(onClose)
  const modal = useRef<Modal>(null) as RefObject<Modal | null>
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return
    const own: Modal = { close: () => close.current(), hasEntry }
    modal.current = own
    open.push(own)
    settleSoon()
    return () => {
      open.splice(open.indexOf(own), 1)
      settleSoon()
    }
  }, [isOpen, hasEntry])
  return () => open.at(-1) === modal.current
}
