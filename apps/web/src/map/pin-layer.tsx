import type { LatLng } from '@hansom/domain/geo/point'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useFormat } from '../lib/format.ts'
import { useText } from '../lib/i18n.ts'
import { useMarker } from './map-renderer.ts'
import classes from './pin-layer.module.css'

export type PinKind = 'pickup' | 'drop'

const stepPx = 8
const longStepPx = 48
/** Delay after the last key press before a move is reported. */
const restMs = 500

const arrows: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/**
 * The pickup or drop pin. With `onMove` it can be dragged, or focused and moved with the arrow keys (Shift for longer
 * steps); `onMove` gets the final point.
 */
export function PinLayer({
  kind,
  number,
  point,
  address,
  onMove,
}: {
  kind: PinKind
  /** The stop's number, for a delivery with several drops. */
  number?: number | undefined
  point: LatLng
  address: string
  onMove?: ((point: LatLng) => void) | undefined
}) {
  const { t } = useText()
  const { marker, element, map } = useMarker(point, { anchor: 'bottom', draggable: onMove !== undefined })
  const onMoveRef = useRef(onMove)
  onMoveRef.current = onMove
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  useEffect(() => {
    clearTimeout(timer.current)
    marker.setLngLat([point.lng, point.lat])
  }, [marker, point.lat, point.lng])

  useEffect(() => {
    marker.setDraggable(onMove !== undefined)
    element.style.zIndex = kind === 'drop' ? '2' : '3'
  }, [marker, element, kind, onMove])

  useEffect(() => {
    const reportMove = () => {
      const { lat, lng } = marker.getLngLat()
      onMoveRef.current?.({ lat, lng })
    }
    marker.on('dragend', reportMove)
    return () => {
      marker.off('dragend', reportMove)
      clearTimeout(timer.current)
    }
  }, [marker])

  const move = (event: React.KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (!arrow || !map || !onMove) return
    event.preventDefault()
    event.stopPropagation()
    const px = event.shiftKey ? longStepPx : stepPx
    const at = map.project(marker.getLngLat())
    const next = map.unproject([at.x + arrow[0] * px, at.y + arrow[1] * px])
    marker.setLngLat(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onMoveRef.current?.({ lat: next.lat, lng: next.lng }), restMs)
  }

  const name = number
    ? t('common.labeled', { name: t('delivery.stop', { number }), value: address })
    : t(`map.${kind}_at`, { address })
  return createPortal(
    onMove ? (
      <button
        type="button"
        className={classes.pin}
        data-kind={kind}
        aria-label={name}
        aria-roledescription={t('map.movable_pin')}
        title={t('map.move_pin')}
        onKeyDown={move}
        onClick={(event) => event.stopPropagation()}
      >
        <PinShape kind={kind} number={number} />
      </button>
    ) : (
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the pin is an inline drawing
      <span className={classes.pin} data-kind={kind} role="img" aria-label={name}>
        <PinShape kind={kind} number={number} />
      </span>
    ),
    element,
  )
}

/** Round for the pickup, square for the drop, so that they differ by more than color. */
export function PinShape({ kind, number }: { kind: PinKind; number?: number | undefined }) {
  const format = useFormat()
  return (
    <svg width="34" height="46" viewBox="0 0 34 46" aria-hidden="true" focusable="false">
      <ellipse className={classes.pinShadow} cx="17" cy="43.5" rx="5" ry="2" />
      <path className={classes.pinHalo} d="M17 28v15" />
      <path className={classes.pinStem} d="M17 28v15" />
      {kind === 'pickup' ? (
        <>
          <circle className={classes.pinHead} cx="17" cy="16" r="13" />
          <circle className={classes.pinDot} cx="17" cy="16" r="4.5" />
        </>
      ) : (
        <>
          <rect className={classes.pinHead} x="4" y="3" width="26" height="26" rx="5" />
          {number ? (
            <text className={classes.pinNumber} x="17" y="21.5" textAnchor="middle">
              {format.number(number)}
            </text>
          ) : (
            <rect className={classes.pinDot} x="12.5" y="11.5" width="9" height="9" rx="1" />
          )}
        </>
      )}
    </svg>
  )
}

/** Animated rings around the pickup while drivers are being asked. */
export function SearchWaves({ center }: { center: LatLng }) {
  const { element } = useMarker(center, {})
  return createPortal(
    <span className={classes.waves} aria-hidden="true">
      <span />
      <span />
      <span />
    </span>,
    element,
  )
}
