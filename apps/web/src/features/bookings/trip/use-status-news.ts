import type { BookingView } from '@hansom/contract/bookings'
import { type RefObject, useEffect, useRef } from 'react'
import { withoutIsolates } from '../../../lib/format.ts'
import { announce } from '../../../ui/announcer.tsx'
import { usePageTitle } from '../../../ui/use-page-title.ts'

/**
 * Puts the status into the page's title, tells every change of it to those who listen, and brings `head`, where it is
 * written, back into sight.
 */
export function useStatusNews(
  status: BookingView['status'],
  line: string,
  head: RefObject<HTMLElement | null>,
): void {
  usePageTitle(withoutIsolates(line))
  const told = useRef(status)
  useEffect(() => {
    if (told.current === status) return
    told.current = status
    announce(withoutIsolates(line))
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [status, line, head])
}
