import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'

/** The unpaid part of a booking's fee, which an admin may waive with a reason. */
export function OpenFee({ booking, amount }: { booking: string; amount: number }) {
  const { t } = useText()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const [waived, setWaived] = useState<number | null>(null)
  const sending = useSubmit((answer: { amount: number }) => {
    setWaived(answer.amount)
    void queryClient.invalidateQueries({ queryKey: orpc.refunds.key() })
    void queryClient.invalidateQueries({ queryKey: orpc.ledger.key() })
    void queryClient.invalidateQueries({ queryKey: orpc.bookings.key() })
  })
  if (waived !== null) {
    return <Notice tone="good">{t('refunds.fee_waived', { amount: isolated(format.money(waived)) })}</Notice>
  }
  if (amount === 0) return null
  const send = () => {
    setTried(true)
    if (reason.trim() === '') return
    const wish = { booking, reason: reason.trim() }
    sending.send(() =>
      idempotentCall('wallet.waive', { id: booking, ...wish }, (_input, options) =>
        api.wallet.waive(wish, options),
      ),
    )
  }
  return (
    <PlainForm onSubmit={send}>
      <Notice tone="plain">{t('refunds.fee_open', { amount: isolated(format.money(amount)) })}</Notice>
      <TextField
        label={t('refunds.reason')}
        name="waive_reason"
        dir="auto"
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={tried && reason.trim() === '' ? t('refunds.reason_missing') : undefined}
      />
      {sending.failure}
      <Button type="submit" busy={sending.busy}>
        {t('refunds.fee_waive', { amount: isolated(format.money(amount)) })}
      </Button>
    </PlainForm>
  )
}
