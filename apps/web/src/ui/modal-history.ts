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

const open: Modal[] = []
let settling: ReturnType<typeof setTimeout> | undefined
/** The mark of the current entry; a pop event comes too late to read it. */
let current: Mark | null = null

const markOf = (state: unknown) => (state as { modals?: Mark } | null)?.modals ?? null

/** Calls the browser itself: the router replaces these methods, and a modal is not a navigation. */
function write(method: 'pushState' | 'replaceState', mark: Mark): void {
  History.prototype[method].call(history, { ...history.state, modals: mark }, '')
  current = mark
}

/**
 * Pushes the missing entries. An entry is never removed when its modal closes, because that is asynchronous and could
 * undo a navigation that follows; the next modal reuses it, and Back skips it.
 */
function settle(): void {
  // The router has replaced the entry by the same page.
  if (current && !markOf(history.state)) write('replaceState', current)
  const wanted = open.filter(({ hasEntry }) => hasEntry).length
  const mark = markOf(history.state) ?? { visit: `${Date.now()}-${Math.random()}`, depth: 0 }
  if (mark.depth >= wanted) return
  if (mark.depth === 0) write('replaceState', mark)
  for (let depth = mark.depth + 1; depth <= wanted; depth++) write('pushState', { ...mark, depth })
}

/** Waits, because one modal often replaces another, and a navigation is written after its event. */
function settleSoon(): void {
  clearTimeout(settling)
  settling = setTimeout(settle)
}

function onPopState(event: PopStateEvent): void {
  const left = current
  current = markOf(event.state)
  if (!left || current?.visit !== left.visit) return
  // Both entries are the same page, so the router has nothing to do.
  event.stopImmediatePropagation()
  const step = current.depth - left.depth
  const above = open.filter(({ hasEntry }) => hasEntry).slice(current.depth)
  // The modal of that entry was closed before: continue in the same direction.
  if (above.length === 0) return history.go(Math.sign(step))
  for (const modal of above.reverse()) modal.close()
  // A modal may refuse to close.
  settleSoon()
}

interface RouterEvents {
  subscribe: (
    listener: (change: { location: { href: string; state: unknown }; action: { type: string } }) => void,
  ) => () => void
  location: { href: string }
}

/** Starts handling Back for modals; `router` reports the navigations. Returns a function that stops it. */
export function watchModalHistory(router: RouterEvents): () => void {
  current = markOf(history.state)
  addEventListener('popstate', onPopState, { capture: true })
  let { href } = router.location
  const leave = router.subscribe(({ location, action }) => {
    if (action.type !== 'REPLACE' || location.href !== href) current = markOf(location.state)
    href = location.href
    if (open.length > 0 || current) settleSoon()
  })
  return () => {
    leave()
    removeEventListener('popstate', onPopState, { capture: true })
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
    }
  }, [isOpen, hasEntry])
  return () => open.at(-1) === modal.current
}
