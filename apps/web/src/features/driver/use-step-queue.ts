import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLiveStatus } from '../../lib/live.ts'
import { StepQueue } from './step-queue.ts'

/** The driver's tapped steps, sent when the line is back, and the last refusal. */
export function useStepQueue() {
  const [refusal, setRefusal] = useState<unknown>(null)
  const made = useRef<StepQueue | null>(null)
  made.current ??= new StepQueue((error) => setRefusal(error))
  const queue = made.current
  const steps = useSyncExternalStore(queue.subscribe, queue.list)
  const status = useLiveStatus()

  useEffect(() => {
    if (status !== 'reconnecting') void queue.flush()
  }, [queue, status])
  useEffect(() => () => queue.stop(), [queue])

  return {
    steps,
    refusal,
    clearRefusal: () => setRefusal(null),
    add: (step: Parameters<StepQueue['add']>[0]) => {
      setRefusal(null)
      return queue.add(step)
    },
  }
}
