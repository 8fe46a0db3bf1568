import { ApiError } from '@hansom/client/api-error'
import type { PaymentOrder } from '@hansom/contract/payments'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { orpc } from '../../lib/api.ts'

/** The current state of an order request. */
export interface KnownOrder {
  order: PaymentOrder | undefined
  /** Error key if there is no order, or no response. */
  error: ApiError | null
  retry: () => void
}

/**
 * The order to be paid by card, with its providers. It is requested again whenever `turn` changes, because the amount may
 * have changed. Null requests nothing.
 */
export function useOrder(order: string | null, turn: string | number = ''): KnownOrder {
  const options = orpc.payments.order.queryOptions({ input: { order: order ?? '' } })
  const query = useQuery({
    ...options,
    queryKey: [...options.queryKey, turn] as unknown as typeof options.queryKey,
    enabled: order !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return {
    order: query.data,
    error: query.error ? readable(query.error) : null,
    retry: () => void query.refetch(),
  }
}

/** Without an error key, the provider list could not be loaded. */
function readable(error: unknown): ApiError {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
  return isRefusal ? error : new ApiError('provider_fetch_error', 502)
}

/** How long the dialog shows the result, ms. */
const sayMs = 1_500

/**
 * Closes a dialog shortly after it has shown its result: `words` is the text key of the result, empty to keep the current
 * content. Closing again is immediate.
 */
export function useLeaving(onClose: () => void): { words: string | null; leave: (words: string) => void } {
  const [words, setWords] = useState<string | null>(null)
  const close = useRef(onClose)
  close.current = onClose
  const isLeaving = words !== null
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => close.current(), sayMs)
    return () => clearTimeout(timer)
  }, [isLeaving])
  return {
    words,
    leave: (said) => {
      if (isLeaving) close.current()
      else setWords(said)
    },
  }
}
