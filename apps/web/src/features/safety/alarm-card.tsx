import type { SafetyAlarm } from '@hansom/contract/safety'
import type { LatLng } from '@hansom/domain/geo/point'
import { emergencyNumber } from '@hansom/domain/safety/emergency-numbers'
import { askedBy, type SafetyMoment } from '@hansom/domain/safety/event'
import { IconMessageCircle, IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, lazy, useId } from 'react'
import { type SeenCar, useTrackedCar } from '../../entities/bookings/tracked-car.ts'
import { alarmKind } from '../../entities/safety/alarm-banner.tsx'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { MapFrame } from '../../map/map-frame.tsx'
import { buttonClass } from '../../ui/button.tsx'
import panel from '../../ui/panel.module.css'
import { AlarmActions } from './alarm-actions.tsx'
import { AlarmPerson } from './alarm-person.tsx'
import classes from './safety-screen.module.css'

const AlarmMap = lazy(() => import('./alarm-map.tsx'))

const coordinates = ({ lat, lng }: LatLng) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`

interface Props {
  alarm: SafetyAlarm
  /** Level of its heading on the page. */
  heading: 'h2' | 'h3'
}

/** An alarm: trip, people, position and timeline, and what an admin does with it. */
export function AlarmCard({ alarm, heading: Heading }: Props) {
  const { t } = useText()
  const format = useFormat()
  const titleId = useId()
  const { category, country, AllowCriticalEditsAdmin } = useSettings()
  const isAdmin = useMe()?.usertype === 'admin'
  const isOpen = alarm.state === 'alarm'
  const whatText = ({ kind }: SafetyAlarm, what: SafetyMoment) =>
    what === 'asked' && kind !== 'panic' && askedBy(kind, category).length === 1
      ? t('alarms.what_asked_rider')
      : t(`alarms.what_${what}`)
  const { acknowledged } = alarm
  const closed = isOpen ? undefined : alarm.timeline.findLast(({ what }) => what === 'closed')
  const { data: view } = useLive('booking', isOpen && alarm.booking_seen ? alarm.booking : null)
  const car = useTrackedCar(view)
  const emergency = isOpen ? emergencyNumber(country) : null
  return (
    <article id={alarm.id} className={panel.panel} aria-labelledby={titleId} data-open={isOpen || undefined}>
      <header className={panel.head}>
        <Heading id={titleId} className={panel.title}>
          {alarmKind(alarm, t)}
        </Heading>
        <span className={panel.quiet}>{format.dateTime(alarm.at)}</span>
      </header>
      {closed?.name ? (
        <p>
          {t('alarms.closed_by', { name: isolated(closed.name), time: isolated(format.dateTime(closed.at)) })}
        </p>
      ) : isOpen && acknowledged ? (
        <p>{t('alarms.taken_by', { name: isolated(acknowledged.name ?? '') })}</p>
      ) : null}
      {isOpen ? (
        <div className={classes.buttons}>
          {emergency ? (
            <a className={buttonClass()} href={`tel:${emergency}`}>
              <IconPhone size={20} stroke={1.8} aria-hidden />
              {t('safety.emergency', { number: isolated(emergency) })}
            </a>
          ) : null}
          {isAdmin && AllowCriticalEditsAdmin ? (
            <Link
              to="/trip/$id"
              params={{ id: alarm.booking }}
              search={{ chat: 'open' }}
              className={buttonClass()}
            >
              <IconMessageCircle size={20} stroke={1.8} aria-hidden />
              {t('chatButton.read')}
            </Link>
          ) : null}
        </div>
      ) : null}
      <div className={classes.facts}>
        <dl className={classes.people}>
          <dt>
            {alarm.booking_seen ? (
              <Link to="/trip/$id" params={{ id: alarm.booking }}>
                {t('alarms.trip', { number: isolated(alarm.booking_id) })}
              </Link>
            ) : (
              t('alarms.trip', { number: isolated(alarm.booking_id) })
            )}
          </dt>
          <dd>
            {alarm.booking_seen ? (
              <>
                <bdi>{alarm.pickup}</bdi>
                <br />
                <bdi>{alarm.drop}</bdi>
              </>
            ) : (
              t('alarms.driver_left')
            )}
          </dd>
          {alarm.rider.name ? (
            <AlarmPerson
              label={t('alarms.rider')}
              person={alarm.rider}
              records={isAdmin ? '/riders' : null}
            />
          ) : null}
          <AlarmPerson
            label={t('alarms.driver')}
            person={alarm.driver}
            plate={alarm.driver.plate}
            records="/drivers"
          />
        </dl>
        {isOpen ? <Places alarm={alarm} car={car} /> : null}
      </div>
      <p id={`${titleId}-timeline`} className={classes.label}>
        {t('alarms.timeline')}
      </p>
      <ol className={classes.timeline} aria-labelledby={`${titleId}-timeline`}>
        {alarm.timeline.map((moment, index) => (
          // The timeline only grows at its end.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <time>{isOpen ? format.clock(moment.at) : format.dateTime(moment.at)}</time>{' '}
            {whatText(alarm, moment.what)}
            {[moment.what === 'repeated' && moment.point && coordinates(moment.point), moment.name].map(
              (detail) =>
                detail ? (
                  <Fragment key={detail}>
                    {' · '}
                    <bdi>{detail}</bdi>
                  </Fragment>
                ) : null,
            )}
            {moment.note ? (
              <blockquote className={classes.note}>
                <bdi>{moment.note}</bdi>
              </blockquote>
            ) : null}
          </li>
        ))}
      </ol>
      {isAdmin ? <AlarmActions alarm={alarm} /> : null}
    </article>
  )
}

/** The car now and the place of the alarm, on a map. */
function Places({ alarm: { id, point }, car }: { alarm: SafetyAlarm; car: SeenCar | null }) {
  const { t } = useText()
  const format = useFormat()
  if (point === null && car === null) return <p className={panel.quiet}>{t('alarms.no_position')}</p>
  const carLabel = car?.seenAt
    ? t('alarms.position', { time: format.clock(car.seenAt) })
    : t('alarms.position_now')
  const placeLabel = point ? t('alarms.position_alarm', { time: format.clock(point.at) }) : ''
  const items = [
    ...(car ? [{ id: 'car', label: carLabel, detail: coordinates(car.point) }] : []),
    ...(point ? [{ id: 'alarm', label: placeLabel, detail: coordinates(point) }] : []),
  ]
  return (
    <div className={classes.map}>
      <MapFrame
        label={t('alarms.map')}
        items={items}
        render={(onFail) => (
          <AlarmMap
            id={id}
            car={car ? { ...car.point, stale: car.seenAt ? carLabel : null } : null}
            place={point ? { point, label: placeLabel } : null}
            onFail={onFail}
          />
        )}
      />
    </div>
  )
}
