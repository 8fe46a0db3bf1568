import type { Me } from '@hansom/contract/users'
import { plainAmount } from '@hansom/domain/money/amount'
import { withdrawRefusal } from '@hansom/domain/wallet/withdraw'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { refreshMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { ProblemSummary, type Problems, refusedFields } from '../../ui/problem-summary.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import classes from './wallet.module.css'

const bankFields = ['bankName', 'bankCode', 'bankAccount'] as const

interface Props {
  me: Me
  onClose: () => void
  /** Confirms the request in a sentence. */
  onSent: (words: string) => void
}

/** Form to withdraw from the user's wallet, with the profile's bank details as the default. */
export function WithdrawForm({ me, onClose, onSent }: Props) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const [text, setText] = useState('')
  const [bank, setBank] = useState({
    bankName: me.bankName ?? '',
    bankCode: me.bankCode ?? '',
    bankAccount: me.bankAccount ?? '',
  })
  const [problems, setProblems] = useState<Problems>({})
  const [message, setMessage] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [busy, setBusy] = useState(false)
  const amount = typedAmount(text, settings)
  const refuse = (error: unknown, found: Problems, whole: string | null) => {
    setProblems(error ? refusedFields(error, t) : found)
    setMessage(error ? errorText(error, t) : whole)
    setTurn((now) => now + 1)
  }

  const submit = async () => {
    if (busy) return
    const refusal = withdrawRefusal(me, { amount, ...bank }, settings)
    if (refusal) {
      const field = refusal.fields[0]?.field
      // No user is selected here.
      const isAmount = refusal.key === 'no_details_error'
      const words = t(isAmount ? 'payments.amount_above_zero' : `error.${refusal.key}`)
      return refuse(null, field ? { [field]: words } : {}, field ? null : words)
    }
    setBusy(true)
    try {
      await idempotentCall(
        'withdraws.request',
        { id: me.uid, amount, ...bank },
        ({ id: _id, ...wish }, options) => api.withdraws.request(wish, options),
      )
      void queryClient.invalidateQueries({ queryKey: orpc.withdraws.own.key() })
      void queryClient.invalidateQueries({ queryKey: orpc.users.wallet.key() })
      await refreshMe()
      onSent(t('wallet.withdraw_sent', { amount: isolated(format.money(amount)) }))
    } catch (cause) {
      refuse(cause, {}, null)
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={classes.card} aria-labelledby="withdraw">
      <h2 id="withdraw" className={classes.heading}>
        {t('wallet.withdraw')}
      </h2>
      <p className={classes.intro}>{t('wallet.withdraw_intro')}</p>
      <PlainForm onSubmit={() => void submit()}>
        <ProblemSummary
          problems={problems}
          message={message}
          labels={{
            amount: t('wallet.amount'),
            bankName: t('register.bankName'),
            bankAccount: t('register.bankAccount'),
          }}
          attempt={turn}
        />
        <div className={classes.amountLine}>
          <TextField
            label={t('wallet.amount')}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={problems.amount}
            hint={t('wallet.available', { amount: isolated(format.money(Math.max(0, me.walletBalance))) })}
          />
          <Button size="small" onClick={() => setText(plainAmount(me.walletBalance, settings.decimal))}>
            {t('wallet.all_of_it')}
          </Button>
        </div>
        {bankFields.map((name) => (
          <TextField
            key={name}
            label={t(`register.${name}`)}
            name={name}
            autoComplete="off"
            dir={name === 'bankName' ? 'auto' : 'ltr'}
            maxLength={200}
            value={bank[name]}
            onChange={(event) => setBank({ ...bank, [name]: event.target.value })}
            error={problems[name]}
          />
        ))}
        <div className={classes.buttons}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t('wallet.withdraw_send')}
          </Button>
        </div>
      </PlainForm>
    </section>
  )
}
