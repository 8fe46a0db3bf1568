import {
  type ReactNode,
  startTransition,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { createRoot } from 'react-dom/client'
import { focusAgain, pressAgain, readFocused, readPressed, readTyped, typeAgain } from './carry-over.ts'

/**
 * Renders the page beside the prerendered one and puts it in its place once it is complete, with what a person has typed and
 * pressed until that moment, and the focus. The work is done in pieces of some milliseconds, between which the prerendered
 * page scrolls and takes what is typed. Resolves when the page is there and listens; rejects with what is thrown before.
 */
export function takePlace(prerendered: HTMLElement, page: ReactNode): Promise<void> {
  const root = prerendered.cloneNode(false) as HTMLElement
  return new Promise((resolve, reject) => {
    const swap = () => {
      const typed = readTyped(prerendered)
      const focused = readFocused(prerendered)
      const pressed = readPressed(prerendered)
      prerendered.replaceWith(root)
      const type = () => {
        typeAgain(root, typed)
        focusAgain(root, focused)
      }
      return { type, press: () => pressAgain(root, pressed) }
    }
    const onUncaughtError = (error: unknown) => {
      reject(error)
      reportError(error)
    }
    startTransition(() =>
      createRoot(root, { onUncaughtError }).render(
        <InPlace swap={swap} onPlaced={resolve}>
          {page}
        </InPlace>,
      ),
    )
  })
}

interface InPlaceProps {
  swap: () => { type(): void; press(): void }
  onPlaced: () => void
  children: ReactNode
}

/**
 * Its effects come in this order: in the page before anything inside is measured, typed before it is seen, pressed when all
 * listen and, outside of React's own work, know what was typed.
 */
function InPlace({ swap, onPlaced, children }: InPlaceProps) {
  const again = useRef<ReturnType<InPlaceProps['swap']>>(null)
  useInsertionEffect(() => {
    again.current = swap()
  }, [swap])
  useLayoutEffect(() => again.current?.type(), [])
  useEffect(
    () =>
      queueMicrotask(() => {
        again.current?.press()
        onPlaced()
      }),
    [onPlaced],
  )
  return children
}
