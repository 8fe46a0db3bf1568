import { ApiError } from '@hansom/client/api-error'
import { type Amount, plainAmount, unit } from '@hansom/domain/money/amount'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { FocusFirst } from '../../ui/focus-first.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Money } from '../../ui/money.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import { ProviderChooser } from './provider-chooser.tsx'
import classes from './top-up-dialog.module.css'
import { useLeaving, useOrder } from './use-order.ts'

/** Tops up the user's wallet by card: the amount first, then the provider. */
export default function TopUpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const me = useMe()
  const carTypes = useQuery(orpc.carTypes.list.queryOptions())
  const { words, leave } = useLeaving(onClose)
  const [text, setText] = useState('')
  const [order, setOrder] = useState<string | null>(null)
  const known = useOrder(order)
  const amount = typedAmount(text, settings)
  const wish = useMutation({
    mutationFn: async (much: number) => {
      if (much <= 0 || me === null) throw new ApiError('no_details_error', 400)
      return idempotentCall('payments.top_up', { id: me.uid, amount: much }, (input, options) =>
        api.payments.topUp({ amount: input.amount }, options),
      )
    },
    onSuccess: (made) => setOrder(made.order),
  })
  const owed = Math.max(0, -(me?.walletBalance ?? 0))
  const cheapest = carTypes.data?.map(({ min_fare }) => min_fare).filter((fare) => fare > 0)
  const picks = quickAmounts(cheapest && cheapest.length > 0 ? Math.min(...cheapest) : undefined)

  return (
    <Dialog open onClose={() => leave('payments.nothing_charged')} title={t('payments.top_up')}>
      {words ? (
        <output className={classes.said}>{t(words)}</output>
      ) : order === null ? (
        <PlainForm onSubmit={() => wish.mutate(amount)}>
          <fieldset className={classes.picks} aria-label={t('payments.quick_amounts')}>
            {(owed > 0 ? [owed, ...picks] : picks).map((pick) => (
              <Button
                key={pick}
                aria-pressed={amount === pick}
                onClick={() => {
                  wish.reset()
                  setText(plainAmount(pick, settings.decimal))
                }}
              >
                <Money amount={pick} />
              </Button>
            ))}
          </fieldset>
          <TextField
            label={t('wallet.amount')}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
            value={text}
            onChange={(event) => {
              wish.reset()
              setText(event.target.value)
            }}
            hint={t('payments.top_up_hint')}
            error={wish.error ? <TopUpProblem error={wish.error} /> : null}
          />
          <Button type="submit" variant="primary" size="large" wide busy={wish.isPending}>
            {amount > 0
              ? t('payments.top_up_by', { amount: isolated(format.money(amount)) })
              : t('payments.top_up_go')}
          </Button>
        </PlainForm>
      ) : (
        <div className={classes.chooser}>
          <FocusFirst>
            <p className={classes.amount}>
              <span>{t('payments.top_up_amount')}</span>
              <Money amount={known.order?.amount ?? amount} />
              <Button size="small" variant="quiet" onClick={() => setOrder(null)}>
                {t('payments.change_amount')}
              </Button>
            </p>
          </FocusFirst>
          <ProviderChooser known={known} onGo={() => leave('')} />
        </div>
      )}
    </Dialog>
  )
}

/** Only the amount of a top-up can be invalid. */
function TopUpProblem({ error }: { error: unknown }) {
  const { t } = useText()
  const isAmount =
    error instanceof ApiError && (error.key === 'no_details_error' || error.key === 'invalid_input')
  return <>{isAmount ? t('payments.amount_above_zero') : errorText(error, t)}</>
}

/**
 * Suggested top-up amounts: about four, ten and twenty of the cheapest trips, as round numbers of 10^-4 of the currency
 * unit. Without prices, a trip is assumed to cost five units.
 */
export function quickAmounts(cheapestTrip: Amount | undefined): Amount[] {
  const trip = cheapestTrip !== undefined && cheapestTrip > 0 ? cheapestTrip : 5 * unit
  return [4, 10, 20].map((trips) => roundUp(trips * trip))
}

/** Rounds up to 1, 2, 5, 10, 20, 50 and so on of the currency unit. */
function roundUp(amount: Amount): Amount {
  const units = Math.max(1, amount / unit)
  const power = 10 ** Math.floor(Math.log10(units))
  const step = [1, 2, 5, 10].find((times) => times * power >= units - 1e-9) ?? 10
  return step * power * unit
}
