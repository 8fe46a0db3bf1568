import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { moved } from '@hansom/domain/moved'
import type { InfiniteData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { announce } from '../../ui/announcer.tsx'
import type { TablePage } from '../../ui/table/table-types.ts'
import { reloadTable, rowsKey } from '../../ui/table/table-updates.ts'

export const reasonsTable = 'cancel-reasons'

/**
 * Moves reasons: shown immediately, sent one after the other, each with the list version of the previous response. A
 * refusal reloads the list. `settled` resolves when no move is pending.
 */
export function useMoves() {
  const { t } = useText()
  const [error, setError] = useState<unknown>(null)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  /** The list version of the last response. */
  const known = useRef<{ order: number; turn: number } | null>(null)
  const turn = useRef(0)

  const move = (reason: AdminCancelReason, to: number) => {
    setError(null)
    const mine = turn.current
    moveInCache(reasonsTable, reason.id, to)
    announce(t('cancelReasons.moved', { name: reason.label, place: to + 1 }))
    queue.current = queue.current.then(async () => {
      // A refusal ended this turn; later moves of the turn were based on a list that no longer exists.
      if (mine !== turn.current) return
      const order = known.current?.turn === mine ? Math.max(known.current.order, reason.order) : reason.order
      try {
        const answer = await api.cancelReasons.move({ id: reason.id, to, order })
        known.current = { order: answer.order, turn: mine }
        moveInCache(reasonsTable, answer.id, answer.value, answer.order)
      } catch (problem) {
        turn.current += 1
        setError(problem)
        await reloadTable(reasonsTable)
      }
    })
  }
  return { move, error, settled: () => queue.current }
}

type Pages = InfiniteData<TablePage<AdminCancelReason>, string | undefined>

/**
 * Moves a reason in the cached pages, which keep their length. `order` is the new version of the list, omitted until the
 * server responds.
 */
export function moveInCache(table: string, id: string, to: number, order?: number): void {
  queryClient.setQueriesData<Pages>({ queryKey: rowsKey(table) }, (data) => {
    if (!data) return data
    const all = data.pages.flatMap(({ items }) => items)
    const from = all.findIndex((reason) => reason.id === id)
    if (from < 0) return data
    const list = moved(all, from, to).map((reason, value) => ({
      ...reason,
      value,
      order: order ?? reason.order,
    }))
    let start = 0
    const pages = data.pages.map((page) => {
      const items = list.slice(start, start + page.items.length)
      start += page.items.length
      return { ...page, items }
    })
    return { ...data, pages }
  })
}
