import type { RefundView } from '@hansom/contract/refunds'
import { useText } from '../../lib/i18n.ts'

/** Why money went back: what the office wrote, or who began it elsewhere. */
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
