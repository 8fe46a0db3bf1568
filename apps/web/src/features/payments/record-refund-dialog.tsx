import type { AdminPayment } from '@hansom/contract/payments'
import type { FieldError } from '@hansom/domain/error-keys'
import { amountProblem } from '@hansom/domain/money/amount'
import classes from '../../entities/refunds/refunds.module.css'
import { api, orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { amountField, fieldOf, textField } from '../../ui/record-field.tsx'

const origins = ['provider', 'chargeback'] as const

interface Refund {
  origin: (typeof origins)[number]
  amount: number
  fee: number
  reason: string
}
const blank: Refund = { origin: 'provider', amount: Number.NaN, fee: 0, reason: '' }

interface Props {
  payment: AdminPayment
  onClose: () => void
}

/** Records a refund or chargeback that an admin found on the provider's pages. */
export function RecordRefundDialog({ payment, onClose }: Props) {
  const { t } = useText()
  const fields = [
    fieldOf<Refund>({
      id: 'origin',
      header: 'refunds.origin',
      cell: ({ origin }) => t(`refunds.origin_${origin}`),
      edit: {
        kind: 'choice',
        value: ({ origin }) => origin,
        changes: (value) => ({ origin: value === 'chargeback' ? 'chargeback' : 'provider' }),
        choices: () => origins.map((value) => ({ value, label: t(`refunds.origin_${value}`) })),
      },
    }),
    amountField('amount', 'refunds.amount'),
    amountField('fee', 'refunds.fee', 0),
    textField('reason', 'refunds.reason', { maxLength: 300 }),
  ]
  return (
    <RecordDialog<Refund, Refund, unknown>
      title={t('refunds.record_title', { code: isolated(payment.reference) })}
      action={t('refunds.record_save')}
      command={`refunds.record ${payment.id}`}
      record={null}
      blank={blank}
      fields={fields}
      check={problemsOf}
      save={({ draft, options }) =>
        api.refunds.record(
          { ...draft, payment: payment.id, fee: draft.origin === 'chargeback' ? draft.fee : 0 },
          options,
        )
      }
      onClose={onClose}
      onSaved={() => {
        void queryClient.invalidateQueries({ queryKey: orpc.refunds.key() })
        void queryClient.invalidateQueries({ queryKey: orpc.ledger.key() })
        onClose()
      }}
    >
      {({ field, preview }) => (
        <>
          <p className={classes.lead}>
            {t('refunds.record_text', { provider: isolated(t(`payments.provider_${payment.provider}`)) })}
          </p>
          {field('origin')}
          {field('amount')}
          {preview([], (draft) =>
            draft?.origin === 'chargeback' ? field('fee', t('refunds.fee_hint')) : null,
          )}
          {field('reason', t('refunds.record_reason_hint'))}
        </>
      )}
    </RecordDialog>
  )
}

function problemsOf({ origin, amount, fee }: Refund): FieldError[] {
  const ofAmount = amount === 0 ? 'not_above_zero' : amountProblem(amount)
  const ofFee = origin === 'chargeback' ? amountProblem(fee) : null
  return [
    ...(ofAmount ? [{ field: 'amount', error: ofAmount } as const] : []),
    ...(ofFee ? [{ field: 'fee', error: ofFee } as const] : []),
  ]
}
