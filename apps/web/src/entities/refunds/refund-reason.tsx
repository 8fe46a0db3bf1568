import type { RefundView } from '@hansom/contract/refunds'
import { useText } from '../../lib/i18n.ts'

/** The reason of a refund: the admin's text, or its origin if it was started elsewhere. */
export function RefundReason({ refund: { origin, reason } }: { refund: RefundView }) {
  const { t } = useText()
  if (origin === 'office') return <bdi>{reason}</bdi>
  return (
    <>
      {t(`refunds.origin_${origin}`)}
      {reason === '' ? null : (
        <>
          {' '}
          · <bdi>{reason}</bdi>
        </>
      )}
    </>
  )
}
