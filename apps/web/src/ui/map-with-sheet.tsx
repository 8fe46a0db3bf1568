import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import classes from './map-with-sheet.module.css'

const sizes = ['low', 'half', 'high'] as const
type Size = (typeof sizes)[number]

/** Share of the layout's height that a sheet of this size may take, as in the style sheet. */
const shares: Record<Size, number> = { low: 0.3, half: 0.62, high: 0.9 }
/** A shorter movement of the pointer is a press, px. */
const slackPx = 6

const step = (size: Size, by: 1 | -1) => sizes[sizes.indexOf(size) + by] ?? size

/**
 * A map with a panel: at the side on a desktop, a bottom sheet over the lower edge of the map on a phone. The handle of
 * the sheet is dragged, pressed, or moved with the arrow keys. The panel's first header stays visible.
 */
export function MapWithSheet({
  map,
  children,
  label,
}: {
  map: ReactNode
  children: ReactNode
  label: string
}) {
  const { t } = useText()
  const [size, setSize] = useState<Size>('half')
  const panel = useRef<HTMLElement>(null)
  const drag = useRef<{ from: number; height: number; moved: boolean } | null>(null)
  const isHigh = size === 'high'

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture?.(event.pointerId)
    drag.current = { from: event.clientY, height: panel.current?.offsetHeight ?? 0, moved: false }
  }
  const onPointerMove = ({ clientY }: PointerEvent) => {
    const { current } = drag
    if (!current || !panel.current) return
    const by = current.from - clientY
    current.moved ||= Math.abs(by) > slackPx
    if (current.moved) panel.current.style.maxBlockSize = `${current.height + by}px`
  }
  const onPointerUp = ({ clientY }: PointerEvent) => {
    const { current } = drag
    if (!current?.moved || !panel.current) return
    panel.current.style.maxBlockSize = ''
    const share = (current.height + current.from - clientY) / (panel.current.parentElement?.offsetHeight || 1)
    const distance = (one: Size) => Math.abs(shares[one] - share)
    setSize(sizes.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest)))
  }
  const onClick = () => {
    const wasDragged = drag.current?.moved
    drag.current = null
    if (!wasDragged) setSize(isHigh ? 'half' : step(size, 1))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    setSize(step(size, event.key === 'ArrowUp' ? 1 : -1))
  }

  return (
    <div className={classes.layout}>
      <section ref={panel} className={classes.panel} data-size={size} aria-label={label}>
        <button
          type="button"
          className={classes.handle}
          aria-label={t(isHigh ? 'common.sheet_lower' : 'common.sheet_raise')}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerUp}
          onClick={onClick}
          onKeyDown={onKeyDown}
        />
        {children}
      </section>
      <div className={classes.map}>{map}</div>
    </div>
  )
}
