import type { DispatchBooking } from '@hansom/contract/dispatch'
import { bestCandidate } from '@hansom/domain/dispatch/board'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { callAttention } from '../../lib/alert.ts'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { live } from '../../lib/live.ts'
import { announce } from '../../ui/announcer.tsx'
import { keepOrder, type QueueRow, steadyRows } from './steady-rows.ts'

/** How often the candidates of the open booking are requested again, ms. */
const candidatesMs = 15_000

/** Keeps the rows in place while the pointer is over them; `waiting` new ones are not shown yet. */
export function useSteady(rows: readonly QueueRow[]) {
  const [held, setHeld] = useState(false)
  const last = useRef<readonly QueueRow[]>(rows)
  const shown = held ? steadyRows(last.current, rows) : rows
  useEffect(() => {
    last.current = shown
  })
  return {
    rows: shown,
    waiting: held ? rows.length - shown.filter(({ gone }) => !gone).length : 0,
    hold: setHeld,
    show: () => setHeld(false),
  }
}

/** The drivers for the open booking, in the order first shown, and the chosen one: at first the best. */
export function useCandidates(open: DispatchBooking | null, assignable: boolean) {
  const query = useQuery({
    ...orpc.dispatch.candidates.queryOptions({ input: { id: open?.id ?? '' } }),
    enabled: open !== null && assignable,
    refetchInterval: candidatesMs,
    staleTime: 0,
    gcTime: 0,
  })
  const [chosenId, setChosenId] = useState<{ booking: string; driver: string } | null>(null)
  const order = useRef<{ booking: string | undefined; ids: string[] }>({ booking: undefined, ids: [] })
  const known = order.current.booking === open?.id ? order.current.ids : []
  const candidates = useMemo(() => query.data && keepOrder(known, query.data), [query.data])
  useEffect(() => {
    order.current = { booking: open?.id, ids: candidates?.map(({ id }) => id) ?? [] }
  })
  const own = chosenId?.booking === open?.id ? chosenId?.driver : undefined
  return {
    candidates: open === null ? undefined : candidates,
    error: query.error,
    chosen: candidates?.find(({ id }) => id === own) ?? (candidates && bestCandidate(candidates)),
    choose: (driver: string) => setChosenId(open && { booking: open.id, driver }),
    refresh: () => {
      order.current = { booking: undefined, ids: [] }
      void query.refetch()
    },
  }
}

/** Announces bookings that begin to search. */
export function useArrivals(queue: readonly QueueRow[]): void {
  const { t } = useText()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    const searching = queue.filter(({ part }) => part === 'searching')
    const added = searching.filter(({ booking }) => known.current && !known.current.has(booking.id)).at(-1)
    known.current = new Set(searching.map(({ booking }) => booking.id))
    if (!added) return
    const { pickup, customer_name } = added.booking
    announce(t('dispatch.appeared', { pickup: pickup.add, customer: customer_name }))
  }, [queue, t])
}

/**
 * Focuses a row of the queue: that of a booking, or the one after it when the booking is done; without a booking the
 * first row.
 */
export function focusRow(rows: readonly QueueRow[], booking: string | null, isDone: boolean): void {
  const at = rows.findIndex((row) => row.booking.id === booking)
  const target = rows[Math.max(0, isDone ? Math.min(at + 1, rows.length - 1) : at)]
  if (!target) return
  const focus = () => {
    const row = document.querySelector<HTMLElement>(`[data-booking="${target.booking.id}"]`)
    row?.focus()
    return row !== null && document.activeElement === row
  }
  // On a narrow screen the queue is hidden until the panel has closed.
  if (!focus()) requestAnimationFrame(focus)
}

/** Esc closes the open booking; an arrow key with the focus on the page itself moves it into the queue. */
export function useKeys(isOpen: boolean, onBack: () => void, onEnterQueue: () => void): void {
  const actions = useRef({ isOpen, onBack, onEnterQueue })
  useEffect(() => {
    actions.current = { isOpen, onBack, onEnterQueue }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[data-modal], [role="menu"]')) return
      const { isOpen, onBack, onEnterQueue } = actions.current
      const isOnPage = event.target === document.body || (event.target as HTMLElement).id === 'content'
      if (event.key === 'Escape' && isOpen) onBack()
      else if (isOnPage && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) onEnterQueue()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Interval between sounds while a booking is waiting too long, ms. */
const repeatMs = 30_000

/** Sounds and announces bookings that are waiting too long: at once for a new one, then regularly. */
export function useAlarms(alarms: readonly string[], sound: boolean): void {
  const { t } = useText()
  const known = useRef<ReadonlySet<string>>(new Set())
  const count = alarms.length
  const key = alarms.join()
  useEffect(() => {
    const before = known.current
    const now = key === '' ? [] : key.split(',')
    known.current = new Set(now)
    if (!now.some((id) => !before.has(id))) return
    announce(t('dispatch.alarms', { count: now.length }))
    if (sound) callAttention('alarm')
  }, [key, sound, t])
  useEffect(() => {
    if (count === 0 || !sound) return
    const timer = setInterval(() => callAttention('alarm'), repeatMs)
    return () => clearInterval(timer)
  }, [count > 0, sound])
}

/** Less than the margin with which the server sends scheduled trips ahead of the queue, ms. */
const snapshotMs = 3 * 3_600_000

/** Requests the board again every few hours: no event announces that a scheduled trip is due within a day. */
export function useFreshSnapshot(): void {
  useEffect(() => {
    // A new listener makes the client request a snapshot for all of them.
    const timer = setInterval(() => live.subscribe('dispatch', {})(), snapshotMs)
    return () => clearInterval(timer)
  }, [])
}
