import type { ApiError } from '@hansom/client/api-error'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { missingDetails } from '@hansom/domain/deliveries/delivery-request'
import { type ComponentProps, useRef, useState } from 'react'
import type { ParcelDraft } from '../../../entities/bookings/booking-draft.ts'
import { serverNow } from '../../../lib/clock.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { fieldProblem } from '../../../ui/problem-summary.tsx'
import ConfirmDialog from './confirm-dialog.tsx'
import classes from './drop-details.module.css'
import { DropDetails, type DropProblems } from './drop-details.tsx'
import { ParcelChoice, ParcelChoiceDialog } from './parcel-choice.tsx'
import { draftDrops, emptyParcel, fullEstimate, refusedDropField, requestData } from './parcel-draft.ts'

export interface ParcelProps {
  parcel: ParcelDraft | undefined
  /** Stores what was typed, so that a closed dialog or a sign-in loses nothing; `drop` is the first drop's new place. */
  onParcel: (parcel: ParcelDraft, drop?: PlacePoint) => void
}

type Props = Omit<ComponentProps<typeof ConfirmDialog>, 'delivery'> & ParcelProps

/** Confirms a delivery: first parcel type and option, if the car type has any, then the details and the price. */
export default function ConfirmDelivery({ parcel = emptyParcel, onParcel, ...props }: Props) {
  const { t } = useText()
  const { timezone } = useSettings()
  const { trip, onClose } = props
  const { carType } = trip.offer
  const hasChoice = carType.parcelTypes.length > 0 || carType.options.length > 0
  const [chooses, setChooses] = useState(hasChoice)
  const [problems, setProblems] = useState<DropProblems>({})
  const [now] = useState(serverNow)
  const form = useRef<HTMLDivElement>(null)
  const departure = { tripdate: trip.tripdate, now, timezone }

  if (chooses) {
    return (
      <ParcelChoiceDialog
        carType={carType}
        value={parcel}
        onClose={onClose}
        onChoose={(choice) => {
          onParcel({ ...parcel, ...choice })
          setChooses(false)
        }}
      />
    )
  }

  /** Shows errors at their fields and moves the focus to the first one; false if there are none. */
  const show = (fields: readonly { field: string; error: string }[]) => {
    const found = fields.flatMap(({ field, error }) => {
      const at = refusedDropField(field)
      if (!at) return []
      const isMissing = error === 'deliveryDetailMissing'
      const isName = at.field === 'deliveryPerson'
      const text = isMissing
        ? t(isName ? 'parcelForm.missing_person' : 'delivery.missing_phone')
        : fieldProblem(error, t)
      return [[`${at.drop}.${at.field}`, text] as const]
    })
    setProblems(Object.fromEntries(found))
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    return found.length > 0
  }

  return (
    <ConfirmDialog
      {...props}
      delivery={{
        estimate: fullEstimate(parcel, departure),
        complete: (cash_at) => {
          const missing = missingDetails({
            drops: draftDrops({ drop: trip.drop, parcel }).map(({ point, ...drop }) => ({
              ...drop,
              place: point ?? trip.drop,
            })),
          })
          const isMissing = show(missing?.fields ?? [])
          return isMissing ? null : requestData(parcel, departure, cash_at ?? null)
        },
        showRefusal: ({ fields }: ApiError) => show(fields),
        details: (quote) => (
          <div ref={form} className={classes.details}>
            {hasChoice ? (
              <ParcelChoice carType={carType} value={parcel}>
                <Button size="small" onClick={() => setChooses(true)}>
                  {t('parcelForm.change_parcel')}
                </Button>
              </ParcelChoice>
            ) : null}
            <DropDetails
              pickup={trip.pickup}
              drop={trip.drop}
              parcel={parcel}
              quote={quote}
              problems={problems}
              onChange={onParcel}
              onTyped={(field) => setProblems((before) => ({ ...before, [field]: undefined }))}
            />
          </div>
        ),
      }}
    />
  )
}
