import { dropFailures } from '@hansom/domain/deliveries/delivery'
import { useState } from 'react'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { imageStore } from '../../lib/image-store.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import choiceClasses from '../../ui/choice.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-message.tsx'
import classes from './driver.module.css'
import { PhotoField } from './photo-field.tsx'
import type { StopView } from './stop-steps.ts'
import type { TakenStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

interface Props {
  booking: string
  stop: StopView
  /** The server's refusal of a step at this stop. */
  refusal: StepRefusal | null
  busy: boolean
  /** Since when the device has been near the stop, epoch ms; null: it is not. */
  near: number | null
  onStep: (step: TakenStep) => void
}

/** What a courier can report at the active stop. */
export function StopSteps({ booking, stop, refusal, busy, near, onStep }: Props) {
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
        {t(isReturn ? 'courier.returned' : 'courier.delivered')}
      </Button>
      {isReturn ? null : (
        <Button wide disabled={busy} aria-haspopup="dialog" onClick={() => setFailing(true)}>
          {t('courier.failed')}
        </Button>
      )}
      {failing ? (
        <FailDialog
          stop={stop}
          near={near}
          onClose={() => setFailing(false)}
          onFail={(given) => {
            setFailing(false)
            onStep({ booking, step: 'fail_drop', stop: stop.n, ...given })
          }}
        />
      ) : null}
    </>
  )
}

interface FailDialogProps extends Pick<Props, 'stop' | 'near'> {
  onFail: (given: Pick<TakenStep, 'reason' | 'images'>) => void
  onClose: () => void
}

/** Asks why a parcel could not be handed over, with the evidence for it; the parcel is then taken back to the sender. */
function FailDialog({ stop, near, onFail, onClose }: FailDialogProps) {
  const { t } = useText()
  const uid = useMe()?.uid ?? ''
  const { AllowFinalDeliveryImageCapture: isPhotoNeeded, deliveryWaitMinutes } = useSettings()
  const [reason, setReason] = useState<(typeof dropFailures)[number] | null>(null)
  const [photo, setPhoto] = useState<Blob>()
  const [saving, setSaving] = useState(false)
  const isReady = reason !== null && (!isPhotoNeeded || photo !== undefined || stop.photo !== null)
  const fail = async () => {
    if (!isReady) return
    setSaving(true)
    const images = photo ? [{ kind: 'photo' as const, file: await imageStore.put(uid, photo) }] : undefined
    onFail({ reason, ...(images && { images }) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('courier.fail_title')}
      footer={
        <>
          <Button variant="danger" wide disabled={!isReady} busy={saving} onClick={() => void fail()}>
            {t('courier.fail_confirm')}
          </Button>
          <Button wide onClick={onClose}>
            {t('courier.fail_back')}
          </Button>
        </>
      }
    >
      <p className={classes.meta}>{t('courier.fail_text', { person: stop.person ?? '' })}</p>
      <fieldset className={classes.reasons}>
        <legend>{t('courier.fail_reason')}</legend>
        {dropFailures.map((choice) => (
          <label key={choice} className={choiceClasses.choice}>
            <input
              type="radio"
              name="reason"
              checked={reason === choice}
              onChange={() => setReason(choice)}
            />
            <span>{t(`courier.failure_${choice}`)}</span>
          </label>
        ))}
        {reason === 'no_one_there' && deliveryWaitMinutes > 0 ? (
          <WaitAtStop minutes={deliveryWaitMinutes} since={near} />
        ) : null}
      </fieldset>
      {isPhotoNeeded ? (
        <fieldset className={classes.reasons}>
          <legend>{t('courier.fail_photo')}</legend>
          <PhotoField
            stored={stop.photo}
            photo={photo}
            alt={t('courier.fail_photo_alt')}
            onPhoto={setPhoto}
          />
        </fieldset>
      ) : null}
    </Dialog>
  )
}

/** How long the courier has to wait, counted from when the device was first near the stop. The server checks it. */
function WaitAtStop({ minutes, since }: { minutes: number; since: number | null }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const until = since === null ? null : since + minutes * 60_000
  return (
    <output className={classes.waiting}>
      {until === null
        ? t('courier.wait_away', { minutes: format.number(minutes) })
        : until > now
          ? t('courier.wait', { time: isolated(format.clock(until)) })
          : t('courier.waited')}
    </output>
  )
}
