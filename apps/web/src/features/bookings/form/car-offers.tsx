import type { FareOffer } from '@hansom/contract/bookings'
import { translate } from '@hansom/domain/languages/translations'
import { IconUser } from '@tabler/icons-react'
import { useId } from 'react'
import { CarPicture } from '../../../entities/car-types/car-picture.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Money } from '../../../ui/money.tsx'
import classes from './car-offers.module.css'

interface Props {
  offers: readonly FareOffer[]
  chosen: string | null
  /** For a later trip the current car positions are irrelevant. */
  later: boolean
  /** Short rows without pictures, for a form with more fields. */
  compact?: boolean
  onChoose: (id: string) => void
}

/** Car types as a radio group with fare, minutes to pickup and, for taxi rides, seats. */
export function CarOffers({ offers, chosen, later, compact = false, onChoose }: Props) {
  const { t, language } = useText()
  const { category } = useSettings()
  const name = useId()
  return (
    <fieldset className={classes.offers}>
      <legend className={classes.legend}>{t('booking.choose_car')}</legend>
      {offers.map(({ carType, fare, pickupS }) => (
        <label key={carType.id} className={compact ? `${classes.card} ${classes.compact}` : classes.card}>
          <input
            type="radio"
            name={name}
            className={classes.radio}
            value={carType.id}
            checked={chosen === carType.id}
            onChange={() => onChoose(carType.id)}
          />
          {compact ? null : (
            <span className={classes.picture}>
              <CarPicture src={carType.image} width={88} height={48} />
            </span>
          )}
          <span className={classes.words}>
            <span className={classes.name}>
              <bdi>{translate(carType, 'name', language.langLocale)}</bdi>
              {category === 'taxi' ? <Seats count={carType.seats} /> : null}
            </span>
            {later ? null : <Arrival pickupS={pickupS} />}
          </span>
          <span className={classes.fare}>
            <Money amount={fare.trip_cost} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Seats({ count }: { count: number }) {
  const { t } = useText()
  const format = useFormat()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an icon and a number, not a picture file
    <span className={classes.seats} role="img" aria-label={t('booking.seats', { count })}>
      <IconUser size={15} stroke={2} aria-hidden />
      <span aria-hidden>{format.number(count)}</span>
    </span>
  )
}

function Arrival({ pickupS }: { pickupS: number | null }) {
  const { t } = useText()
  const format = useFormat()
  if (pickupS === null) return <span className={classes.none}>{t('booking.none_near')}</span>
  return (
    <span className={classes.arrival}>{t('booking.arrives_in', { time: format.duration(pickupS) })}</span>
  )
}
