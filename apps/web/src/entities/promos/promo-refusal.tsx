import type { PromoProblem } from '@hansom/domain/fare/promo'
import { ApiError } from '../../lib/api-error.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'

const known = [
  'unknown',
  'expired',
  'used_up',
  'used_by_rider',
  'below_minimum',
] as const satisfies PromoProblem[]

/** Why a promo does not apply, if the server gives a reason. */
export function PromoRefusal({ error }: { error: unknown }) {
  const { t } = useText()
  const format = useFormat()
  const reason = error instanceof ApiError ? known.find((one) => one === error.data.why) : undefined
  if (!(error instanceof ApiError) || !reason) return <ErrorMessage error={error} />
  const least = Number(error.data.min_order ?? 0)
  return <span>{t(`payments.promo_${reason}`, { amount: isolated(format.money(least)) })}</span>
}
