import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/*
 * Each open modal has a history entry above the page's own. The states:
 *
 * - settled: the current entry belongs to the topmost modal, or to the page if none is open.
 * - leaving: a modal closed, so `history.go` goes back to `target`. New modals and navigations wait for its pop.
 * - overdue: the wait ended without the pop, which may be late or never come. The page goes on at least two entries
 *   above the target, so a user's Back cannot land on it.
 *
 * A pop on the target is ours, at any time. Any other pop is the user's, and shows that ours is lost.
 *
 * While another page loads, the modals in sight are the former page's: they get no entry above the new page's own.
 */

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

/** Wait for a traversal that is late or not performed, for instance past an entry of an embedded page, ms. */
const traversalTimeout = 300

const open: Modal[] = []
let settling: ReturnType<typeof setTimeout> | undefined
/** The mark of the current entry; a pop event comes too late to read it. */
let current: Mark | null = null
/** Where our own traversal lands; null once any pop came. */
let target: Mark | null = null
/** Resolves when the entries of closed modals have been left, or the wait for it ends. */
let leaving: Promise<void> | null = null
let left = () => {}

/** Another page loads, and the former one is still in sight. */
let isPageLoading = () => false

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

/**
 * Goes back to the entry of this page with `depth` open modals, unless a traversal is overdue: with a second one, the
 * browser could go too far.
 */
function leaveTo(depth: number): Promise<void> {
  if (leaving) return leaving
  if (target || !current || current.depth <= depth) return Promise.resolve()
  target = { ...current, depth }
  const wait = new Promise<void>((resolve) => {
    left = resolve
    setTimeout(resolve, traversalTimeout)
  })
  leaving = wait.then(() => {
    leaving = null
    settleSoon()
  })
  history.go(depth - current.depth)
  return leaving
}

/** Makes the entries agree with the open modals. */
function settle(): void {
  if (leaving || isUnloading) return
  const mark = markOf(history.state) ?? { visit: `${Date.now()}-${Math.random()}`, depth: 0 }
  const overdue = target?.visit === mark.visit ? target : null
  const count = withEntry().length
  const wanted = overdue ? Math.max(count, overdue.depth + 1) + 1 : count
  if (mark.depth > wanted) return void leaveTo(wanted)
  if (mark.depth === wanted || isPageLoading()) return
  if (mark.depth === 0) write('replaceState', mark)
  for (let depth = mark.depth + 1; depth <= wanted; depth++) write('pushState', { ...mark, depth })
}

/** Waits, because one modal often replaces another, and a navigation is written after its event. */
function settleSoon(): void {
  clearTimeout(settling)
  settling = setTimeout(settle)
}

function onPopState(event: PopStateEvent, router: PageHistory): void {
  const before = current
  const awaited = target
  current = markOf(event.state)
  target = null
  const isOurs = awaited !== null && current?.visit === awaited.visit && current.depth === awaited.depth
  if (isOurs && before?.visit !== awaited.visit) {
    // The router has left the page meanwhile: its new page follows the page's own entry.
    event.stopImmediatePropagation()
    const { href, state } = router.location
    History.prototype.pushState.call(history, { ...(state as object), modals: undefined }, '', href)
    current = null
  } else {
    if (!before || current?.visit !== before.visit) return
    // Both entries are the same page, so the router has nothing to do.
    event.stopImmediatePropagation()
    if (!isOurs) return goneTo(current, before.depth, leaving ? null : awaited)
  }
  left()
  // A modal may have opened or closed meanwhile.
  settleSoon()
}

/** Closes the modals above the entry that the user went to. */
function goneTo({ visit, depth }: Mark, from: number, overdue: Mark | null): void {
  const modals = withEntry()
  // Above an overdue target, the modals are one entry higher.
  const above = modals.slice(overdue?.visit === visit && depth > overdue.depth ? depth - 1 : depth)
  if (above.length === 0 && overdue && depth < from) {
    // Back from the entry of a closed modal: it means what is visible.
    const top = modals.at(-1)
    if (!top) {
      // Chromium ignores a traversal during the user's own, so it waits.
      clearTimeout(settling)
      settling = setTimeout(() => history.go(-depth - 1))
      return
    }
    above.push(top)
  }
  for (const modal of above.reverse()) modal.close()
  // A modal may have refused to close.
  settleSoon()
}

type Navigate = (path: string, state?: unknown, options?: { ignoreBlocker?: boolean }) => void

interface PageHistory {
  readonly location: { href: string; state: unknown }
  push: Navigate
  replace: Navigate
  subscribe: (listener: (change: { location: { state: unknown } }) => void) => () => void
}

interface Pages {
  readonly history: PageHistory
  /** `resolvedLocation` is the page in sight. */
  readonly state: { location: { pathname: string }; resolvedLocation?: { pathname: string } | undefined }
  subscribe: (event: 'onResolved', listener: () => void) => () => void
}

/**
 * Starts handling Back for modals in the router's history. A navigation starts from the page's own entry, so Back from
 * the next page shows the page without its modals. Returns a function that stops it.
 */
export function watchModalHistory(pages: Pages): () => void {
  const router = pages.history
  isPageLoading = () => {
    const { location, resolvedLocation } = pages.state
    return resolvedLocation !== undefined && resolvedLocation.pathname !== location.pathname
  }
  current = markOf(history.state)
  target = null
  const onPop = (event: PopStateEvent) => onPopState(event, router)
  addEventListener('popstate', onPop, { capture: true })
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
        // On top of an overdue traversal's page, Back must not land on its target.
        .then(() => (target ? push : navigate)(...to))
    }
  router.push = fromPage(push)
  router.replace = fromPage(replace)
  const leave = router.subscribe(({ location }) => {
    current = markOf(location.state)
    settleSoon()
  })
  const stopWaiting = pages.subscribe('onResolved', settleSoon)
  return () => {
    leave()
    stopWaiting()
    Object.assign(router, { push, replace })
    removeEventListener('popstate', onPop, { capture: true })
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
  // Removed together with its page, before a modal of the next page gets its entry.
  useLayoutEffect(() => {
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
