import type { BookingView } from '@hansom/contract/bookings'
import { type RefObject, useEffect, useRef } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'

/**
 * Puts the status into the page's title, tells every change of it to those who listen, and brings `head`, where it is
 * written, back into sight.
 */
export function useStatusNews(
  status: BookingView['status'],
  line: string,
  head: RefObject<HTMLElement | null>,
): void {
  usePageTitle(unmarked(line))
  const told = useRef(status)
  useEffect(() => {
    if (told.current === status) return
    told.current = status
    announce(unmarked(line))
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [status, line, head])
}

/** Without the direction marks, which a title bar or a voice has no use for. */
function unmarked(line: string): string {
  return line.replace(/[\u2068\u2069]/g, '')
}
