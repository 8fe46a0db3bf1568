import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import classes from './popover.module.css'

interface Props {
  /** The element it belongs to; the popover opens below it, or above if there is no space. */
  anchor: HTMLElement
  onClose: () => void
  label: string
  role?: 'dialog' | 'menu'
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode
}

const gap = 6
const edge = 8

function place(box: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const rightToLeft = getComputedStyle(anchor).direction === 'rtl'
  // Aligns with the end edge of anchors in the second half of the line, so that the box stays on the screen.
  const inSecondHalf = rightToLeft
    ? at.left + at.width / 2 < innerWidth / 2
    : at.left + at.width / 2 > innerWidth / 2
  const left = inSecondHalf === rightToLeft ? at.left : at.right - width
  const below = at.bottom + gap
  const fits = below + height <= innerHeight - edge
  const top = fits || at.top - gap - height < edge ? below : at.top - gap - height
  box.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`
  box.style.top = `${Math.max(edge, Math.min(top, innerHeight - height - edge))}px`
}

/**
 * A small non-modal box anchored to the element that opened it. Closes on Esc, on a click outside and when the focus
 * leaves.
 */
export function Popover({ anchor, onClose, label, role = 'dialog', onKeyDown, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.showPopover?.()
    place(element, anchor)
    const first = element.querySelector<HTMLElement>('[data-first], input, select, button, a[href]')
    ;(first ?? element).focus({ preventScroll: true })
    return () => {
      const inside = element.contains(document.activeElement) || document.activeElement === document.body
      if (inside && anchor.isConnected) anchor.focus({ preventScroll: true })
    }
  }, [anchor])

  useEffect(() => {
    const outside = (event: PointerEvent) => {
      const target = event.target as Node
      if (!box.current?.contains(target) && !anchor.contains(target)) close.current()
    }
    // Repositions on scroll, because a page that is still scrolling must not close the box.
    const moved = () => {
      if (box.current && anchor.isConnected) place(box.current, anchor)
      else close.current()
    }
    document.addEventListener('pointerdown', outside, true)
    document.addEventListener('scroll', moved, true)
    window.addEventListener('resize', moved)
    return () => {
      document.removeEventListener('pointerdown', outside, true)
      document.removeEventListener('scroll', moved, true)
      window.removeEventListener('resize', moved)
    }
  }, [anchor])

  return (
    <div
      ref={box}
      popover="manual"
      className={classes.box}
      role={role}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
      }}
      onBlur={(event) => {
        const next = event.relatedTarget
        if (next && !event.currentTarget.contains(next) && next !== anchor) onClose()
      }}
    >
      {children}
    </div>
  )
}
