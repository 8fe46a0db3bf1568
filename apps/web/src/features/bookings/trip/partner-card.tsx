import type { BookingView } from '@hansom/contract/bookings'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { contactStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { IconPhone, IconStarFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import classes from './partner-card.module.css'

/** True for the viewers of the back office. */
export const isBackOffice = ({ viewer }: Pick<BookingView, 'viewer'>) =>
  viewer === 'admin' || viewer === 'fleetadmin'

/** The other party of the trip: plate, car, person. The back office sees both parties, with links to their records. */
export function PartnerCard({ view, chat }: { view: BookingView; chat?: ReactNode }) {
  const { t } = useText()
  const seesDriver = view.viewer !== 'driver' && view.driver_name !== null
  const seesRider = view.viewer !== 'rider' && view.customer_name !== null
  const isOffice = isBackOffice(view)
  const hasCar = isOffice || isOneOf(contactStatuses, view.status)
  return (
    <>
      {seesDriver ? (
        <section className={classes.partner} data-printed>
          {isOffice ? <h2>{t('trip.driver_card')}</h2> : null}
          {hasCar ? <Car view={view} /> : null}
          <Person
            name={view.driver_name ?? ''}
            image={view.driver_image}
            rating={view.driverRating}
            contact={view.driver_contact}
            chat={chat}
            callKey="trip.call_driver"
            record={isOffice && view.driver ? { to: '/drivers', uid: view.driver } : null}
          />
          {isOffice ? <Contacts phone={view.driver_contact} email={null} /> : null}
        </section>
      ) : null}
      {seesRider ? (
        <section className={classes.partner}>
          {isOffice ? <h2>{t('trip.rider_card')}</h2> : null}
          <Person
            name={view.customer_name ?? ''}
            image={view.customer_image}
            rating={view.customerRating}
            contact={view.customer_contact}
            chat={chat}
            callKey="trip.call_rider"
            record={view.viewer === 'admin' && view.customer ? { to: '/riders', uid: view.customer } : null}
          />
          {isOffice ? <Contacts phone={view.customer_contact} email={view.customer_email} /> : null}
        </section>
      ) : null}
    </>
  )
}

/** Phone number and email address in full, to read aloud or copy; a demo hides them. */
function Contacts({ phone, email }: { phone: string | null; email: string | null }) {
  const contacts = [
    { value: phone, href: `tel:${phone}` },
    { value: email, href: `mailto:${email}` },
  ].filter(({ value }) => value)
  if (contacts.length === 0) return null
  return (
    <p className={classes.contacts}>
      {contacts.map(({ value, href }) =>
        value === hiddenForDemo ? (
          <span key={href}>{value}</span>
        ) : (
          <a key={href} href={href}>
            <Ltr>{value}</Ltr>
          </a>
        ),
      )}
    </p>
  )
}

type CarFields = 'vehicle_number' | 'vehicle_make' | 'vehicle_model' | 'carType'

/** The plate, in the largest type, and the car. */
export function Car({ view }: { view: Pick<BookingView, CarFields> }) {
  const { t } = useText()
  const car = [view.vehicle_make, view.vehicle_model].filter(Boolean).join(' ')
  return (
    <div className={classes.car}>
      {view.vehicle_number ? (
        <p className={classes.plate}>
          <VisuallyHidden>{t('trip.plate')} </VisuallyHidden>
          <Ltr>{view.vehicle_number}</Ltr>
        </p>
      ) : null}
      <p className={classes.carName}>{car ? <bdi>{car}</bdi> : <CarTypeName stored={view.carType} />}</p>
    </div>
  )
}

function Person({
  name,
  image,
  rating,
  contact,
  chat,
  callKey,
  record,
}: {
  name: string
  image: string | null
  rating: number | null
  contact: string | null
  chat: ReactNode
  callKey: TextKey
  /** The page and id of their record in the back office. */
  record: { to: '/riders' | '/drivers'; uid: string } | null
}) {
  const { t } = useText()
  const format = useFormat()
  // The photo is not shown for an old trip, or was removed.
  const [missing, setMissing] = useState<string | null>(null)
  return (
    <div className={classes.person}>
      {image && image !== missing ? (
        <img
          className={classes.avatar}
          src={image}
          alt=""
          width={48}
          height={48}
          onError={() => setMissing(image)}
        />
      ) : (
        <span className={classes.avatar} aria-hidden="true">
          {initials(name)}
        </span>
      )}
      <p className={classes.personName}>
        {record ? (
          <Link to={record.to} search={{ open: record.uid }}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {rating ? (
          <span className={classes.rating}>
            <IconStarFilled size={14} aria-hidden="true" />
            <VisuallyHidden>{t('trip.rated')} </VisuallyHidden>
            <bdi>{format.rating(rating)}</bdi>
          </span>
        ) : null}
      </p>
      <div className={classes.ways}>
        {chat}
        {contact && contact !== hiddenForDemo ? (
          <a
            className={buttonClass({ size: 'icon' })}
            href={`tel:${contact}`}
            aria-label={t(callKey, { name })}
          >
            <IconPhone size={20} aria-hidden="true" />
          </a>
        ) : null}
      </div>
    </div>
  )
}

/** Up to two initials, for a user without a photo. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words
  return picked.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('')
}

type PlaceFields = Pick<BookingView, 'pickupAddress' | 'dropAddress' | 'trip_end_time'> & {
  /** Null for a viewer with the trip's link. */
  viewer: BookingView['viewer'] | null
}
type LengthFields = Pick<BookingView, 'distance' | 'estimateDistance' | 'total_trip_time' | 'estimateTime'>

/** Pickup, drop, and the distance if known. */
export function Places({ view }: { view: PlaceFields & Partial<LengthFields> }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <section className={classes.places} data-printed aria-label={t('trip.route')}>
      <dl>
        <div data-kind="pickup">
          <dt>{t('map.pickup')}</dt>
          <dd>{view.pickupAddress}</dd>
        </div>
        <div data-kind="drop">
          <dt>{t(dropKey(view))}</dt>
          <dd>{view.dropAddress}</dd>
        </div>
      </dl>
      {view.estimateDistance === undefined || view.estimateTime === undefined ? null : (
        <p className={classes.wayLength}>
          {t('trip.distance_and_time', {
            distance: format.distance(view.distance ?? view.estimateDistance),
            time: format.duration(view.total_trip_time ?? view.estimateTime),
          })}
        </p>
      )}
    </section>
  )
}

/** After the end: the place where the trip really ended. */
function dropKey({ trip_end_time, viewer }: PlaceFields): TextKey {
  if (trip_end_time === null) return 'map.drop'
  return viewer === 'rider' ? 'trip.dropped_at' : 'trip.ended_at'
}
