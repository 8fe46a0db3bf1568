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

/** The font of headings, and the arrows of a column that can be sorted, px. */
const headingPx = 13
const arrows = 21
const widths = new Map<string, number>()

/** The least width of a column whose heading breaks between words only, px. */
export function widestWord(heading: string, sorts: boolean): number {
  const widest = Math.max(0, ...heading.split(/\s+/).map(widthOf))
  return Math.ceil(widest + padding + (sorts ? arrows : 0))
}

/** Chinese breaks between any two characters. */
const breaksAnywhere = /\p{Script=Han}/u

function widthOf(word: string): number {
  if (breaksAnywhere.test(word)) return headingPx
  const known = widths.get(word)
  if (known !== undefined) return known
  // The document's language may bring another font.
  const context = document.createElement('canvas').getContext?.('2d') ?? null
  if (context) context.font = `600 ${headingPx}px ${getComputedStyle(document.body).fontFamily}`
  const width = context?.measureText(word).width ?? word.length * digit
  // Until the fonts have loaded, another one is measured.
  if (document.fonts?.status === 'loaded') widths.set(word, width)
  return width
}

/** Pixels of a digit at the tables' font size, and the padding of a cell. */
const digit = 7.8
const padding = 28

/** The width of a column of amounts of up to six digits before the decimal separator, px. */
export function widestAmount(format: Pick<Format, 'money'>): number {
  return Math.ceil(format.money(999_999 * unit).length * digit + padding)
}
