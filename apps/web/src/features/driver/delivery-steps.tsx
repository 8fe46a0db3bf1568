import { dropFailures } from '@hansom/domain/deliveries/delivery'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import choiceClasses from '../../ui/choice.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-message.tsx'
import classes from './driver.module.css'
import type { StopView } from './stop-steps.ts'
import type { TakenStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

interface Props {
  booking: string
  stop: StopView
  /** The server's refusal of a step at this stop. */
  refusal: StepRefusal | null
  busy: boolean
  onStep: (step: TakenStep) => void
}

/** What a courier can report at the active stop. */
export function StopSteps({ booking, stop, refusal, busy, onStep }: Props) {
  const { t } = useText()
  const [failing, setFailing] = useState(false)
  const isReturn = stop.kind === 'return'
  return (
    <>
      {refusal ? (
        <p className={classes.warning} role="alert">
          {errorText(refusal.error, t)}
        </p>
      ) : null}
      {/* The next stop's button appears in this place: the second tap of a double tap is not meant for it. */}
      <Button
        variant="primary"
        size="large"
        wide
        busy={busy}
        onClick={({ detail }) =>
          detail > 1 ? undefined : onStep({ booking, step: 'deliver', stop: stop.n })
        }
      >
        {t(isReturn ? 'delivery.courier_returned' : 'delivery.courier_delivered')}
      </Button>
      {isReturn ? null : (
        <Button wide disabled={busy} onClick={() => setFailing(true)}>
          {t('delivery.courier_failed')}
        </Button>
      )}
      {failing ? (
        <FailDialog
          stop={stop}
          onClose={() => setFailing(false)}
          onFail={(reason) => {
            setFailing(false)
            onStep({ booking, step: 'fail_drop', stop: stop.n, reason })
          }}
        />
      ) : null}
    </>
  )
}

interface FailDialogProps {
  stop: StopView
  onFail: (reason: (typeof dropFailures)[number]) => void
  onClose: () => void
}

/** Asks why a parcel could not be handed over; it is then taken back to the sender. */
function FailDialog({ stop, onFail, onClose }: FailDialogProps) {
  const { t } = useText()
  const [reason, setReason] = useState<(typeof dropFailures)[number] | null>(null)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('delivery.courier_fail_title')}
      footer={
        <>
          <Button variant="danger" wide disabled={reason === null} onClick={() => reason && onFail(reason)}>
            {t('delivery.courier_fail_confirm')}
          </Button>
          <Button wide onClick={onClose}>
            {t('delivery.courier_fail_back')}
          </Button>
        </>
      }
    >
      <p className={classes.meta}>{t('delivery.courier_fail_text', { person: stop.person ?? '' })}</p>
      <fieldset className={classes.reasons}>
        <legend>{t('delivery.courier_fail_reason')}</legend>
        {dropFailures.map((choice) => (
          <label key={choice} className={choiceClasses.choice}>
            <input
              type="radio"
              name="reason"
              checked={reason === choice}
              onChange={() => setReason(choice)}
            />
            <span>{t(`delivery.courier_failure_${choice}`)}</span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
