import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { reloadTable } from '../../ui/table/row-cache.ts'
import { moveInCache } from './move-in-cache.ts'

export const reasonsTable = 'cancel-reasons'

/**
 * Moves reasons: shown at once, sent one after the other, each with the list's version that the answer before has
 * brought. After a refusal the list is read again. `settled` is done when nothing of it is under way.
 */
export function useMoves() {
  const { t } = useText()
  const [error, setError] = useState<unknown>(null)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  /** What the last answer called the list. */
  const known = useRef<{ order: number; turn: number } | null>(null)
  const turn = useRef(0)

  const move = (reason: AdminCancelReason, to: number) => {
    setError(null)
    const mine = turn.current
    moveInCache(reasonsTable, reason.id, to)
    announce(t('cancelReasons.moved', { name: reason.label, place: to + 1 }))
    queue.current = queue.current.then(async () => {
      // A refusal has ended this turn: what followed it was about a list that is not there.
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
