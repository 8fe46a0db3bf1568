import type { SharedTripView } from '@hansom/contract/trip-links'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { TextArea } from '../../../ui/text-field.tsx'
import { arrivalAt } from './arrival-time.tsx'
import { Car } from './partner-card.tsx'
import classes from './recipient-panel.module.css'
import panel from './trip-panel.module.css'

type Parcel = NonNullable<SharedTripView['parcel']>

interface Props {
  token: string
  trip: SharedTripView
  parcel: Parcel
}

/** What a recipient sees by their link: when the parcel comes, the code for the door, and the proof afterwards. */
export function RecipientPanel({ token, trip, parcel }: Props) {
  const { t } = useText()
  const isOpen = parcel.outcome === null
  return (
    <div className={panel.panel} data-status={trip.status}>
      <header className={panel.head}>
        <p className={panel.eyebrow}>{t('recipient.from', { sender: isolated(parcel.sender) })}</p>
        <h1 className={panel.line} aria-live="polite">
          {t(titleKey(trip, parcel))}
        </h1>
        {isOpen ? <Expected trip={trip} parcel={parcel} /> : <Outcome parcel={parcel} />}
      </header>
      {isOpen && parcel.code !== null ? (
        <section className={classes.code} aria-label={t('recipient.code')}>
          <p>{t('recipient.code_hint')}</p>
          <strong>
            <Ltr>{parcel.code}</Ltr>
          </strong>
        </section>
      ) : null}
      {isOpen && trip.vehicle_number ? <Car view={trip} /> : null}
      <dl className={classes.facts}>
        <div>
          <dt>{t('recipient.address')}</dt>
          <dd>{trip.drop.add}</dd>
        </div>
        {parcel.parcel === null ? null : (
          <div>
            <dt>{t('recipient.parcel')}</dt>
            <dd>{parcel.parcel}</dd>
          </div>
        )}
      </dl>
      {isOpen ? <Instructions token={token} parcel={parcel} /> : <Proof token={token} parcel={parcel} />}
      <p className={panel.next}>{t('recipient.note')}</p>
    </div>
  )
}

function titleKey({ status }: SharedTripView, { outcome, before }: Parcel) {
  if (outcome === 'failed') return 'recipient.failed'
  if (outcome !== null) return 'recipient.delivered'
  if (status !== 'STARTED') return 'recipient.waiting'
  return before === 0 ? 'recipient.next' : 'recipient.coming'
}

function Expected({ trip, parcel }: Pick<Props, 'trip' | 'parcel'>) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const at = (trip.point ? arrivalAt(trip, trip.point) : null) ?? parcel.expected_at
  const { window_from: from, window_to: to, before } = parcel
  return (
    <>
      {at === null ? null : (
        <p className={panel.arrival}>
          <strong>{t('recipient.at', { time: format.clock(at) })}</strong>
          <span>{format.relative(at, now)}</span>
        </p>
      )}
      {before > 0 ? <p className={panel.asOf}>{t('recipient.before', { count: before })}</p> : null}
      {from !== null && to !== null ? (
        <p className={panel.next}>
          {t('recipient.window', { from: format.clock(from), to: format.clock(to) })}
        </p>
      ) : null}
    </>
  )
}

function Outcome({ parcel }: { parcel: Parcel }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <>
      {parcel.failure === null ? null : (
        <p className={panel.next}>{t(`recipient.failure_${parcel.failure}`)}</p>
      )}
      {parcel.done_at === null ? null : <p className={panel.next}>{format.dateTime(parcel.done_at)}</p>}
      {parcel.received_by === null ? null : (
        <p className={panel.next}>{t('recipient.received_by', { name: isolated(parcel.received_by) })}</p>
      )}
    </>
  )
}

/** The recipient tells the courier how to find them, until the courier is near. */
function Instructions({ token, parcel }: Pick<Props, 'token' | 'parcel'>) {
  const { t } = useText()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const save = useMutation({
    ...orpc.tripLinks.instruct.mutationOptions(),
    onSuccess: (trip) => {
      queries.setQueryData(orpc.tripLinks.show.queryKey({ input: { token } }), trip)
      setTyped(null)
    },
  })
  if (!parcel.may_edit && typed === null) {
    return parcel.instructions === null ? null : (
      <dl className={classes.facts}>
        <div>
          <dt>{t('recipient.instructions')}</dt>
          <dd>{parcel.instructions}</dd>
        </div>
      </dl>
    )
  }
  const text = typed ?? parcel.instructions ?? ''
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ token, instructions: text })
      }}
    >
      <TextArea
        label={t('recipient.instructions')}
        hint={t('recipient.instructions_hint')}
        value={text}
        maxLength={deliveryLimits.instructions}
        rows={3}
        onChange={(event) => setTyped(event.target.value)}
      />
      {save.error ? <ErrorMessage error={save.error} /> : null}
      <Button type="submit" variant="secondary" disabled={typed === null} busy={save.isPending}>
        {t(save.isSuccess && typed === null ? 'recipient.saved' : 'recipient.save')}
      </Button>
    </form>
  )
}

function Proof({ token, parcel }: Pick<Props, 'token' | 'parcel'>) {
  const { t } = useText()
  const images = [
    ['photo', parcel.photo_at],
    ['signature', parcel.signature_at],
  ] as const
  return (
    <div className={classes.proofs}>
      {images.map(([kind, at]) => {
        if (at === null) return null
        const url = `/api/v1/track/${token}/${kind}?at=${at}`
        return (
          <a key={kind} href={url} target="_blank" rel="noreferrer">
            <img src={url} alt={t(`recipient.${kind}`)} loading="lazy" />
          </a>
        )
      })}
    </div>
  )
}
