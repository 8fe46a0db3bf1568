import { unit } from '@hansom/domain/money/amount'
import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Format } from '../../lib/format.ts'

const least = 360
const margin = 24

/**
 * The height from an element's top to the bottom of the window, px. A scroller of that height does not make the page
 * scroll.
 */
export function useAvailableHeight(
  element: RefObject<HTMLElement | null>,
  wanted: boolean,
): number | undefined {
  const [room, setRoom] = useState<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (!wanted) return setRoom(undefined)
    const measure = () => {
      if (!element.current) return
      const top = element.current.getBoundingClientRect().top + window.scrollY
      setRoom(Math.max(least, Math.round(window.innerHeight - top - margin)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [element, wanted])
  return room
}

/** Pixels of a digit at the tables' font size, and the padding of a cell. */
const digit = 7.8
const padding = 28

/** The width of a column of amounts of up to six digits before the decimal separator, px. */
export function widestAmount(format: Pick<Format, 'money'>): number {
  return Math.ceil(format.money(999_999 * unit).length * digit + padding)
}
