import type { Candidate, DispatchBooking, DispatchHold, DispatchState } from '@hansom/contract/dispatch'
import { isAlarm, sortQueue } from '@hansom/domain/dispatch/board'
import { IconPlus, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, useCallback, useMemo, useState } from 'react'
import { useCarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { useHold } from '../../entities/dispatch/use-hold.ts'
import { useServerNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { matchesQuery } from '../../lib/matches-query.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useMe } from '../../lib/session.ts'
import { useMedia } from '../../lib/use-media.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import { MapFrame } from '../../map/map-frame.tsx'
import { announce } from '../../ui/announcer.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import {
  focusRow,
  useAlarms,
  useArrivals,
  useCandidates,
  useFreshSnapshot,
  useKeys,
  useSteady,
} from './board-state.ts'
import { BookingPanel } from './booking-panel.tsx'
import classes from './dispatch-screen.module.css'
import { QueueList } from './queue-list.tsx'

/** How often waiting times and alarms are computed, ms. */
const tickMs = 2_000

const DispatchMap = lazy(() => import('../../map/dispatch-map.tsx'))
const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean'

/** The dispatch screen: the queue, the map, and the open booking with the drivers who could take it. */
export function DispatchScreen() {
  const { t } = useText()
  const { data, error } = useLive('dispatch')
  useFreshSnapshot()
  if (error) return <ErrorState error={new Error(error)} />
  if (!data) {
    return (
      <div className={classes.screen}>
        <h1 className={classes.title}>{t('dispatch.title')}</h1>
        <LoadingState rows={6} height="84px" />
      </div>
    )
  }
  return <DispatchBoard state={data} />
}

function DispatchBoard({ state }: { state: DispatchState }) {
  const { t } = useText()
  const me = useMe()
  const now = useServerNow(tickMs)
  const wide = useMedia('(min-width: 861px)')
  const [params, changeParams] = useSearchParams()
  const [sound, setSound] = useStoredState('hansom-dispatch-sound', true, isBoolean)
  const [typed, setTyped] = useState('')
  const [carType, setCarType] = useState('')
  const [done, setDone] = useState('')

  const { rules, bookings } = state
  const queue = useMemo(() => sortQueue(bookings, rules, now), [bookings, rules, now])
  const alarms = queue.filter(({ booking }) => isAlarm(booking, rules, now)).map(({ booking }) => booking.id)
  const rows = queue.filter(
    ({ booking }) =>
      (carType === '' || booking.car_type_id === carType) && matchesQuery(typed, wordsOf(booking)),
  )
  const steady = useSteady(rows)
  const holds = useMemo(() => holdsOfOthers(state.holds, me?.uid, now), [state.holds, me?.uid, now])
  const open = bookings.find(({ id }) => id === params.booking) ?? null
  const panel = useCandidates(
    open,
    queue.some(({ booking }) => booking.id === open?.id),
  )

  usePageTitle(alarms.length > 0 ? `(${alarms.length}) ${t('dispatch.title')}` : t('dispatch.title'))
  useAlarms(alarms, sound)
  useHold(open?.id ?? null)
  useArrivals(queue)

  const openBooking = (id: string | undefined) => changeParams(() => ({ booking: id }))
  const close = (text: string | null) => {
    if (text !== null) {
      setDone(text)
      announce(text)
    }
    openBooking(undefined)
    focusRow(rows, open?.id ?? null, text !== null)
  }
  // The same function in every render: rows with the same values are not rendered again.
  const show = useCallback(
    (id: string) => {
      setDone('')
      changeParams(() => ({ booking: id }))
    },
    [changeParams],
  )
  useKeys(
    open !== null,
    () => close(null),
    () => focusRow(rows, null, false),
  )

  const carTypeName = useCarTypeName()
  const carTypes = new Map(bookings.map((booking) => [booking.car_type_id, booking.carType]))
  const map = (
    <MapFrame
      label={t('dispatch.map')}
      items={[]}
      render={(onFail) => (
        <DispatchMap
          bookings={bookings}
          rules={rules}
          open={open}
          candidates={panel.candidates ?? noCandidates}
          chosen={panel.chosen?.id ?? null}
          onOpen={show}
          onChoose={panel.choose}
          onFail={onFail}
        />
      )}
    />
  )
  return (
    <div className={classes.screen} data-open={open !== null || undefined}>
      <header className={classes.head}>
        <h1 className={classes.title}>{t('dispatch.title')}</h1>
        <output className={classes.done}>{done}</output>
        <Button
          variant="quiet"
          size="icon"
          aria-pressed={sound}
          aria-label={t('dispatch.sound')}
          title={t('dispatch.sound')}
          onClick={() => setSound(!sound)}
        >
          {sound ? <IconVolume size={20} aria-hidden /> : <IconVolumeOff size={20} aria-hidden />}
        </Button>
        <Link to="/addbookings" className={buttonClass({ size: 'small' })}>
          <IconPlus size={18} aria-hidden />
          {t('menu.add_booking')}
        </Link>
      </header>
      <div className={classes.columns}>
        <section className={classes.side} aria-label={t('dispatch.queue')}>
          <div className={classes.filters}>
            <input
              type="search"
              className={classes.search}
              aria-label={t('dispatch.search')}
              placeholder={t('dispatch.search')}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <select
              className={classes.select}
              aria-label={t('dispatch.car_type')}
              value={carType}
              onChange={(event) => setCarType(event.target.value)}
            >
              <option value="">{t('dispatch.all_car_types')}</option>
              {[...carTypes].map(([id, stored]) => (
                <option key={id} value={id}>
                  {carTypeName(stored)}
                </option>
              ))}
            </select>
            {steady.waiting > 0 ? (
              <button type="button" className={classes.news} onClick={steady.show}>
                {t('dispatch.new_rows', { count: steady.waiting })}
              </button>
            ) : null}
          </div>
          {steady.rows.length > 0 ? (
            <QueueList
              rows={steady.rows}
              rules={rules}
              now={now}
              open={open?.id ?? null}
              holds={holds}
              onOpen={show}
              onHover={steady.hold}
            />
          ) : queue.length > 0 ? (
            <EmptyState
              title={t('dispatch.no_match')}
              action={
                <Button
                  onClick={() => {
                    setTyped('')
                    setCarType('')
                  }}
                >
                  {t('dispatch.clear')}
                </Button>
              }
            />
          ) : (
            <EmptyState title={t('dispatch.empty')}>{t('dispatch.empty_text')}</EmptyState>
          )}
        </section>
        {wide ? (
          <div className={classes.map}>{map}</div>
        ) : (
          <details className={classes.mapFold}>
            <summary>{t('dispatch.map_toggle')}</summary>
            <div className={classes.map}>{map}</div>
          </details>
        )}
        {open ? (
          <BookingPanel
            key={open.id}
            booking={open}
            holder={holds.get(open.id)}
            candidates={panel.candidates}
            error={panel.error}
            chosen={panel.chosen}
            onChoose={panel.choose}
            onRefresh={panel.refresh}
            onClose={close}
          />
        ) : null}
      </div>
    </div>
  )
}

const noCandidates: readonly Candidate[] = []

const wordsOf = (booking: DispatchBooking) =>
  [
    booking.booking_id,
    booking.customer_name,
    booking.pickup.add,
    booking.drop.add,
    booking.driver_name,
    booking.vehicle_number,
  ].join(' ')

function holdsOfOthers(
  holds: readonly DispatchHold[],
  me: string | undefined,
  now: number,
): ReadonlyMap<string, DispatchHold> {
  const others = holds.filter(({ user, until }) => user !== me && until > now)
  return new Map(others.map((hold) => [hold.booking, hold]))
}
