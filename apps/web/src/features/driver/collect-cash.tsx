import type { BookingView } from '@hansom/contract/bookings'
import type { CashAnswer } from '@hansom/domain/bookings/status'
import { useState } from 'react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'
import type { TakenStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

interface Props {
  booking: BookingView
  collect: NonNullable<BookingView['collect']>
  refusal: StepRefusal | null
  onStep: (step: TakenStep) => void
}

/**
 * The end of a cash trip: the amount to collect, its parts, and the amount the rider paid. The trip is closed with the
 * answer and the amount that was shown.
 */
export function CollectCash({ booking, collect, refusal, onStep }: Props) {
  const { t } = useText()
  const format = useFormat()
  const [asksNothing, setAsksNothing] = useState(false)
  const { trip, outstanding, total } = collect
  const answer = (collected: CashAnswer, amount: number) =>
    onStep({ booking: booking.id, step: 'close', collected, amount })
  return (
    <div className={classes.collect}>
      <p className={classes.collectHead}>
        <span>{t('driver.collect')}</span>
        <strong className={classes.fare}>
          <Money amount={total} />
        </strong>
      </p>
      {outstanding > 0 ? (
        <dl className={classes.parts}>
          <div>
            <dt>{t('driver.collect_trip')}</dt>
            <dd>
              <Money amount={trip} />
            </dd>
          </div>
          <div>
            <dt>{t('driver.collect_outstanding')}</dt>
            <dd>
              <Money amount={outstanding} />
            </dd>
          </div>
        </dl>
      ) : null}
      {booking.driver_share === null ? null : (
        <p className={classes.meta}>
          {t('driver.share_of_it', { amount: isolated(format.money(booking.driver_share)) })}
        </p>
      )}
      {refusal ? (
        <p className={classes.warning} role="alert">
          <ErrorMessage error={refusal.error} />
        </p>
      ) : null}
      <div className={classes.step}>
        {/* This button appears where the last step's was: the second tap of a double tap is not meant for it. */}
        <Button
          variant="primary"
          size="large"
          wide
          onClick={(event) => (event.detail > 1 ? undefined : answer('all', total))}
        >
          {t('driver.collected_all', { amount: isolated(format.money(total)) })}
        </Button>
      </div>
      {outstanding > 0 ? (
        <Button wide onClick={() => answer('trip', trip)}>
          {t('driver.collected_trip', { amount: isolated(format.money(trip)) })}
        </Button>
      ) : null}
      <Button variant="quiet" wide onClick={() => setAsksNothing(true)}>
        {t('driver.collected_nothing')}
      </Button>
      {asksNothing ? (
        <Dialog
          open
          role="alertdialog"
          onClose={() => setAsksNothing(false)}
          title={t('driver.nothing_title')}
          footer={
            <>
              <Button variant="danger" wide onClick={() => answer('nothing', 0)}>
                {t('driver.nothing_confirm')}
              </Button>
              <Button wide onClick={() => setAsksNothing(false)}>
                {t('driver.nothing_back')}
              </Button>
            </>
          }
        >
          <p className={classes.meta}>{t('driver.nothing_text')}</p>
        </Dialog>
      ) : null}
    </div>
  )
}
