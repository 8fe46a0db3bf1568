import type { DispatchHold } from '@hansom/contract/dispatch'
import { holdRenewMs } from '@hansom/domain/dispatch/board'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useMe } from '../../lib/session.ts'

/**
 * Holds a booking while it is open, so that other dispatchers see who works on it. Returns the hold of another admin. A
 * failed renewal is tried again with the next one. Closing the page releases the hold; without that it expires. A hold
 * belongs to the admin, so a second window of the same admin loses it too, until its next renewal.
 */
export function useHold(booking: string | null): DispatchHold | null {
  const me = useMe()
  const [hold, setHold] = useState<DispatchHold | null>(null)
  useEffect(() => {
    if (booking === null) return
    // One after another: a release must not overtake the hold it ends.
    let last: Promise<unknown> = Promise.resolve()
    const run = (call: (input: { id: string }) => Promise<unknown>) => {
      last = last.then(() => call({ id: booking })).catch(() => {})
    }
    const take = () => run(async (input) => setHold(await api.dispatch.hold(input)))
    take()
    const timer = setInterval(take, holdRenewMs)
    const release = () => run(api.dispatch.release)
    window.addEventListener('pagehide', release)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', release)
      release()
    }
  }, [booking])
  return hold && hold.booking === booking && hold.user !== me?.uid ? hold : null
}
