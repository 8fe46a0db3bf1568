import {
  type ReactNode,
  startTransition,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { createRoot } from 'react-dom/client'
import {
  readFocused,
  readPressed,
  readTyped,
  replayPress,
  restoreFocus,
  restoreTyped,
} from './replay-early-input.ts'

/**
 * Renders the app off-screen and swaps it in for the prerendered page once complete, along with what the user has
 * typed, focused and pressed so far. Rendering is split into slices of a few milliseconds so that the prerendered page
 * can scroll and take input in between. Resolves when the app handles events; rejects with any error thrown before.
 */
export function swapPrerendered(prerendered: HTMLElement, page: ReactNode): Promise<void> {
  const root = prerendered.cloneNode(false) as HTMLElement
  return new Promise((resolve, reject) => {
    const swap = () => {
      const typed = readTyped(prerendered)
      const focused = readFocused(prerendered)
      const pressed = readPressed(prerendered)
      prerendered.replaceWith(root)
      const type = () => {
        restoreTyped(root, typed)
        restoreFocus(root, focused)
      }
      return { type, press: () => replayPress(root, pressed) }
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
 * The order of the effects matters: swap before any child measures layout, restore input before paint, and replay the
 * press once all handlers are attached and, outside React's batch, have seen the restored input.
 */
function InPlace({ swap, onPlaced, children }: InPlaceProps) {
  const replay = useRef<ReturnType<InPlaceProps['swap']>>(null)
  useInsertionEffect(() => {
    replay.current = swap()
  }, [swap])
  useLayoutEffect(() => replay.current?.type(), [])
  useEffect(
    () =>
      queueMicrotask(() => {
        replay.current?.press()
        onPlaced()
      }),
    [onPlaced],
  )
  return children
}
