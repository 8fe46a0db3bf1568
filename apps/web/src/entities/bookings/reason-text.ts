import { reasonKey } from '@hansom/domain/cancel-reasons/reasons'
import { translateCopy } from '@hansom/domain/languages/translations'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'

/** Translates one of the platform's own reasons; other texts are returned unchanged. */
export function reasonText(reason: string, t: (key: string) => string): string {
  const key = reasonKey(reason)
  const words = t(key)
  return words === key ? reason : words
}

/** Translates the reason of a booking: the platform's own, or one of the list. Free text is returned unchanged. */
export function useReasonText(): (reason: string) => string {
  const { t, language } = useText()
  // The page follows the list, so it is not requested: an empty one answers with an error.
  const { data } = useQuery({ ...orpc.cancelReasons.list.queryOptions(), enabled: false }, queryClient)
  return useCallback(
    (reason) => translateCopy(data ?? [], 'label', reasonText(reason, t), language.langLocale),
    [data, t, language.langLocale],
  )
}

/** The parameters of a notification with the reason translated. */
export function noticeParams(
  params: Record<string, string>,
  t: (key: string) => string,
): Record<string, string> {
  const { reason } = params
  return reason === undefined ? params : { ...params, reason: reasonText(reason, t) }
}
