import { Popover as BasePopover } from '@base-ui/react/popover'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './popover.module.css'

/** Distances for boxes below their anchor, px. */
export const placement = { sideOffset: 6, collisionPadding: 8 } as const

/** Whether an outside press hit the anchor, whose own handler closes the box. */
export function isOn(anchor: HTMLElement, { target }: Event): boolean {
  return target instanceof Node && anchor.contains(target)
}

interface Props {
  /** The element it belongs to; the popover opens below it, or above if there is no space. */
  anchor: HTMLElement
  onClose: () => void
  label: string
  children: ReactNode
}

/**
 * A small non-modal box anchored to the element that opened it. Closes on Esc, on a press outside and when the focus
 * leaves. The first field or button is focused, or the one marked `data-first`.
 */
export function Popover({ anchor, onClose, label, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  // Base UI closes only boxes that have a trigger of their own when the focus leaves. React's focus event, which comes
  // first, also bubbles from lists that were opened from this box, wherever they are in the document.
  const isInside = useRef(false)
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!isInside.current && target instanceof Element && !anchor.contains(target)) close.current()
      isInside.current = false
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [anchor])
  return (
    <div className={classes.scope} onFocusCapture={() => (isInside.current = true)}>
      <BasePopover.Root
        open
        onOpenChange={(_, { reason, event, cancel }) => {
          cancel()
          if (reason !== 'outside-press' || !isOn(anchor, event)) onClose()
        }}
      >
        <BasePopover.Portal>
          <BasePopover.Positioner anchor={anchor} align="start" {...placement} className={classes.positioner}>
            <BasePopover.Popup
              ref={box}
              className={classes.box}
              aria-label={label}
              initialFocus={() => box.current?.querySelector('[data-first], input, select, button, a[href]')}
            >
              {children}
            </BasePopover.Popup>
          </BasePopover.Positioner>
        </BasePopover.Portal>
      </BasePopover.Root>
    </div>
  )
}
