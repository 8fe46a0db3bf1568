import type { AlertCount } from '@hansom/contract/alerts'
import type { TableChanges } from '@hansom/contract/live'
import type { PlainScreenPath } from '@hansom/domain/access/screens'
import { alertPageOf } from '@hansom/domain/alerts/alerts'
import type { Role } from '@hansom/domain/users/roles'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orpc } from '../../lib/api.ts'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'

/** Minimum interval between two reloads for changes, ms. */
export const reloadIntervalMs = 5_000
/** In case a change was missed. */
const pollIntervalMs = 60_000

/** The numbers of open matters by kind, followed live. For admins and fleet admins only. */
export function useAlertCounts() {
  useEffect(followAlerts, [])
  return useQuery({ ...orpc.alerts.counts.queryOptions(), refetchInterval: pollIntervalMs })
}

/** Reloads the counts when the server announces alerts. Returns a function that stops it. */
function followAlerts(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let nextAt = 0
  const reload = () => {
    timer = undefined
    nextAt = performance.now() + reloadIntervalMs
    void queryClient.invalidateQueries({ queryKey: orpc.alerts.counts.key() })
  }
  const onChange = ({ tables }: TableChanges) => {
    if (tables.includes('safety')) {
      // An alarm does not wait.
      void queryClient.invalidateQueries({ queryKey: orpc.safety.key() })
      clearTimeout(timer)
      return reload()
    }
    if (!tables.includes('alerts') || timer !== undefined) return
    const waitMs = nextAt - performance.now()
    if (waitMs <= 0) reload()
    else timer = setTimeout(reload, waitMs)
  }
  let isCurrent = false
  const unsubscribe = live.subscribe('office', {
    // The first snapshot describes changes that the counts already contain; a later one, changes that were missed.
    snapshot: (data) => isCurrent && onChange(data),
    event: onChange,
    volatile: onChange,
    current: (current) => {
      isCurrent ||= current
    },
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** The number of open matters that are settled on each page. */
export function countsByScreen(counts: readonly AlertCount[], role: Role): Map<PlainScreenPath, number> {
  const sums = new Map<PlainScreenPath, number>()
  for (const { kind, count } of counts) {
    const { screen } = alertPageOf(kind, role)
    sums.set(screen, (sums.get(screen) ?? 0) + count)
  }
  return sums
}
