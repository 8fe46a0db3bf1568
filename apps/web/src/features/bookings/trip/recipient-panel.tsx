import type { SharedParcelView } from '@hansom/contract/trip-links'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ExtraText } from '../../../entities/car-types/car-type-name.tsx'
import { orpc } from '../../../lib/api.ts'
import { useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import { TextArea } from '../../../ui/text-field.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { Car } from './partner-card.tsx'
import classes from './recipient-panel.module.css'
import panel from './trip-panel.module.css'

type Parcel = SharedParcelView['parcel']

interface Props {
  token: string
  parcel: Parcel
}

/** What a recipient sees by their link: when the parcel comes, the code for the door, and the proof afterwards. */
export function RecipientPanel({ token, parcel }: Props) {
  const { t } = useText()
  const { stage, sender, code, vehicle, place, parcel: description, collect } = parcel
  const isOpen = isComing(parcel)
  return (
    <div className={panel.panel} data-stage={stage}>
      <header className={panel.head}>
        <p className={panel.eyebrow}>{t('recipient.from', { sender: isolated(sender) })}</p>
        <h1 className={panel.line} aria-live="polite">
          {t(`recipient.${stage}`)}
        </h1>
        {isOpen ? <Expected parcel={parcel} /> : <Outcome parcel={parcel} />}
      </header>
      {code === null ? null : (
        <section className={classes.code} aria-label={t('recipient.code')}>
          <p>{t('recipient.code_hint')}</p>
          <strong aria-hidden>
            <Ltr>{code}</Ltr>
          </strong>
          <VisuallyHidden>{code.split('').join(' ')}</VisuallyHidden>
        </section>
      )}
      {collect === null ? null : (
        <section className={classes.cash} aria-label={t('recipient.collect')}>
          <p>{t('recipient.collect')}</p>
          <strong>
            <Money amount={collect} />
          </strong>
        </section>
      )}
      {vehicle ? <Car view={vehicle} /> : null}
      {isOpen ? (
        <dl className={classes.facts}>
          {place === null ? null : (
            <div>
              <dt>{t('recipient.address')}</dt>
              <dd>
                <bdi>{place.add}</bdi>
              </dd>
            </div>
          )}
          {description === null ? null : (
            <div>
              <dt>{t('recipient.parcel')}</dt>
              <dd>
                <ExtraText stored={description} />
              </dd>
            </div>
          )}
        </dl>
      ) : null}
      {isOpen ? <Instructions token={token} parcel={parcel} /> : <Proof token={token} parcel={parcel} />}
      <p className={classes.note}>{t('recipient.note')}</p>
    </div>
  )
}

/** True until the recipient's stop, or the delivery, is over. */
export const isComing = ({ stage }: Parcel) => stage === 'waiting' || stage === 'coming' || stage === 'next'

/** An arrival sooner than this is not counted down: it may be over before the next position. */
const shortMs = 60_000

function Expected({ parcel }: { parcel: Parcel }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const { expected_at: at, window_from: from, window_to: to, before } = parcel
  const timeOf = (moment: number) =>
    format.date(moment) === format.date(now) ? format.clock(moment) : format.dateTime(moment)
  return (
    <>
      {at === null ? null : (
        <p className={panel.arrival}>
          <strong>{t('recipient.at', { time: timeOf(at) })}</strong>
          {at - now < shortMs ? null : <span>{format.relative(at, now)}</span>}
        </p>
      )}
      {before > 0 ? <p className={panel.asOf}>{t('recipient.before', { count: before })}</p> : null}
      {from !== null && to !== null ? (
        <p className={panel.next}>{t('recipient.window', { from: timeOf(from), to: format.clock(to) })}</p>
      ) : null}
    </>
  )
}

function Outcome({ parcel }: { parcel: Parcel }) {
  const { t } = useText()
  const format = useFormat()
  const { stage, failure, returned, done_at, received_by } = parcel
  return (
    <>
      {done_at === null ? null : <p className={panel.next}>{format.dateTime(done_at)}</p>}
      {failure === null ? null : (
        <p className={panel.next}>
          {t(returned ? `recipient.returned_${failure}` : `recipient.failure_${failure}`)}
        </p>
      )}
      {stage === 'ended' ? <p className={panel.next}>{t('recipient.ended_text')}</p> : null}
      {received_by === null ? null : (
        <p className={panel.next}>{t('recipient.received_by', { name: isolated(received_by) })}</p>
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
    onSuccess: (view) => {
      queries.setQueryData(orpc.tripLinks.show.queryKey({ input: { token } }), view)
      setTyped(null)
    },
  })
  if (!parcel.may_edit && typed === null) {
    return parcel.instructions === null ? null : (
      <dl className={classes.facts}>
        <div>
          <dt>{t('recipient.instructions')}</dt>
          <dd>
            <bdi>{parcel.instructions}</bdi>
          </dd>
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
  if (images.every(([, at]) => at === null)) return null
  return (
    <div className={classes.proofs}>
      {images.map(([kind, at]) => {
        if (at === null) return null
        const url = `/api/v1/track/${token}/${kind}?at=${at}`
        return (
          <a key={kind} href={url} target="_blank" rel="noreferrer" data-kind={kind}>
            <img src={url} alt="" loading="lazy" />
            {t(`recipient.${kind}`)}
          </a>
        )
      })}
    </div>
  )
}
