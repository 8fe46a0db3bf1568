import type { AdminPayment } from '@hansom/contract/payments'
import { unit } from '@hansom/domain/money/amount'
import { maySettleToWallet } from '@hansom/domain/payments/payment'
import classes from '../../entities/refunds/refunds.module.css'
import { api } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'

interface Props {
  payment: AdminPayment
  onClose: () => void
  onSettled: (payment: AdminPayment) => void
}

/** A provider reported another amount than requested: an admin accepts it or states that it was returned. */
export function MismatchDialog({ payment, onClose, onSettled }: Props) {
  const { t } = useText()
  const format = useFormat()
  const sending = useSubmit(onSettled)
  const { id, provider, found, differs } = payment
  const name = isolated(t(`payments.provider_${provider}`))
  const payer = `\u2068${payment.payer_name}\u2069`
  const end = (outcome: 'wallet' | 'given_back') =>
    sending.send(() => api.refunds.settlePayment({ payment: id, outcome }))
  // With the currency code, because it may differ from the city's.
  const sum = (amount: number, currency: string) => `${format.number(amount / unit, 4)} ${currency}`
  const rows: ['amount' | 'reference' | 'mode', string, string | null][] = [
    ['amount', sum(payment.amount, payment.currency), found && sum(found.amount, found.currency)],
    ['reference', payment.reference, found && found.reference],
    ['mode', t(modeOf(payment.live)), found && t(modeOf(found.live))],
  ]
  return (
    <Dialog open onClose={onClose} title={t('refunds.mismatch_title')}>
      <div className={classes.mismatch}>
        <p className={classes.lead}>{t('refunds.mismatch_text', { provider: name })}</p>
        <table className={classes.compared}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('refunds.mismatch_asked')}</th>
              <th scope="col">{t('refunds.mismatch_found')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([what, asked, reported]) => (
              <tr key={what} data-differs={isDifferent(what, differs) || undefined}>
                <th scope="row">{t(`refunds.differs_${what}`)}</th>
                <td>
                  <bdi>{asked}</bdi>
                </td>
                <td>{reported === null ? '–' : <bdi>{reported}</bdi>}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {found === null ? null : (
          <p className={classes.where}>
            {t('common.labeled', { name: t('refunds.pay_provider_id'), value: isolated(found.providerId) })}
          </p>
        )}
        {sending.failure}
        <div className={classes.endings}>
          {found !== null && maySettleToWallet(differs) ? (
            <Button variant="primary" busy={sending.busy} onClick={() => end('wallet')}>
              {t('refunds.mismatch_wallet', { amount: isolated(format.money(found.amount)), name: payer })}
            </Button>
          ) : null}
          <Button busy={sending.busy} onClick={() => end('given_back')}>
            {t('refunds.mismatch_given_back', { provider: name })}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const modeOf = (live: boolean) => (live ? 'refunds.mode_live' : 'refunds.mode_test')

const isDifferent = (what: string, differs: readonly string[]) =>
  differs.includes(what) || (what === 'amount' && differs.includes('currency'))
