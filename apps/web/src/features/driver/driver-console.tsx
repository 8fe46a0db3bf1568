import { newerView } from '@hansom/client/live-topics'
import type { BookingView } from '@hansom/contract/bookings'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { canReceive, currentBlocks, freeReportMs, isOnline } from '@hansom/domain/users/driver-blocks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, useEffect, useRef, useState } from 'react'
import type { ChatPanel } from '../../entities/chats/chat-button.tsx'
import { PushOffer } from '../../entities/devices/push-offer.tsx'
import { RecentRequests } from '../../entities/dispatch/decisions.tsx'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useConnection, useLive } from '../../lib/live.ts'
import { useMe } from '../../lib/session.ts'
import { MapFrame } from '../../map/map-frame.tsx'
import { announce } from '../../ui/announcer.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './driver.module.css'
import type { DriverMapProps } from './driver-map.tsx'
import { OnlineSwitch, PositionWarning, TodayCard, useDriverState } from './online-switch.tsx'
import { useProofParts } from './proof-parts.ts'
import { RateRider } from './rate-rider.tsx'
import { RequestCard, UpcomingRequest } from './request-card.tsx'
import { TripPanel } from './trip-panel.tsx'
import { CancelledNotice, useCancelledTrip, WithdrawnNotice } from './use-cancelled-trip.tsx'
import { ChangedNotice, useChangedTrip } from './use-changed-trip.tsx'
import { useDriverOutbox } from './use-offline-queue.ts'
import { useRequests } from './use-requests.ts'
import { useOwnPosition } from './watch-geolocation.ts'

/** The open booking to drive now; a trip that only waits for its payment comes last. */
export function currentTrip(bookings: readonly BookingView[]): BookingView | null {
  const driven = bookings.find(({ status }) => isOneOf(drivingStatuses, status))
  return driven ?? bookings.find(({ status }) => status === 'PENDING') ?? null
}

/**
 * The trip this page followed last, once paid: shown for thanks and rating. It stays if the rider has already rated and the
 * trip is no longer open, and precedes an older unpaid one.
 */
export function useFinished(bookings: readonly BookingView[], trip: BookingView | null) {
  const followed = useRef<string | null>(null)
  const last = useRef<BookingView | null>(null)
  const [done, setDone] = useState<ReadonlySet<string>>(new Set())
  const driven = trip && trip.status !== 'PENDING' ? trip : null
  if (driven) followed.current = driven.id
  const paid = bookings.find(
    ({ id, status }) => (status === 'PAID' || status === 'COMPLETE') && id === followed.current,
  )
  if (paid) last.current = paid
  const isLast = last.current?.id === followed.current
  const finished = !driven && isLast && last.current && !done.has(last.current.id) ? last.current : null
  if (trip && !finished) followed.current = trip.id
  return { finished, leave: (id: string) => setDone(new Set([...done, id])) }
}

/**
 * The trip after the driver's own steps. Their responses arrive before the live list, which would briefly show the previous
 * step and clear the input.
 */
export function useAnswered(listed: BookingView | null): BookingView | null {
  const answer = useQuery({
    ...orpc.bookings.get.queryOptions({ input: { id: listed?.id ?? '' } }),
    enabled: false,
  })
  return listed && newerView(answer.data, listed)
}

/** The request for the time after a trip: one that came while it was driven. Older ones were for a free driver. */
export function upcomingOf(trip: BookingView, requests: readonly BookingView[]): BookingView | null {
  const since = trip.trip_start_time
  if (since === null) return null
  return requests.find(({ request }) => request !== null && request.requested_at >= since) ?? null
}

/** The driver console: go online, answer requests, drive the trip, see the day's figures. */
export function DriverConsole({ chat }: { chat: ChatPanel }) {
  const { t } = useText()
  const { state, switching, refresh } = useDriverState()
  const open = useLive('bookings')
  const bookings = open.data ?? []
  const trip = useAnswered(currentTrip(bookings))
  const { finished, leave } = useFinished(bookings, trip)
  const uid = useMe()?.uid ?? null
  const known = open.current ? open.data : undefined
  const queue = useDriverOutbox(uid, known)
  const { cancelled, withdrawn, read } = useCancelledTrip(uid ?? '', known, trip)
  const { changed, read: readChange } = useChangedTrip(trip)
  const connected = useConnection() === 'good'
  useProofParts()
  const requests = useRequests(trip !== null && trip.status !== 'PENDING')
  const online = state.data !== undefined && isOnline(state.data)
  const working = online || trip !== null
  const own = useOwnPosition(working, trip ? 1000 : freeReportMs, queue.outbox)

  const moment = `${trip?.id}:${trip?.status}`
  // The day's figures change with the trip's status
  useEffect(() => {
    void refresh()
  }, [moment])

  const shown = finished ?? trip
  const newest = requests.requests[0] ?? null
  const top = shown ?? cancelled ?? newest
  useBackToTop(top && `${top.id}:${top.status}`)

  const isDriving = trip !== null && trip.status !== 'PENDING'
  const upcoming = isDriving ? upcomingOf(trip, requests.requests) : null
  const announced = isDriving ? upcoming : newest
  useEffect(() => {
    if (!announced) return
    const key = isDriving ? 'driver.upcoming_announced' : 'driver.request_announced'
    return announce(t(key, { pickup: announced.pickupAddress }))
  }, [announced?.id, isDriving])

  const isFree = requests.requests.length === 0 && !trip && !finished
  // The result of the trip is in its notice, an error of the next step next to its button.
  const told = [trip?.id, cancelled?.id, withdrawn?.booking]
  const lostStep = queue.refusal && !told.includes(queue.refusal.step.booking) ? queue.refusal : null

  if (state.isError && !state.data)
    return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  if (!state.data) return <ConsoleLoading />
  const blocks = currentBlocks({ ...state.data, fetchedAt: state.dataUpdatedAt }, own.fixedSince)
  const isReachable = connected && canReceive(blocks)
  return (
    <div className={classes.console}>
      <div className={classes.map}>
        <DriverMap
          own={own.position ?? state.data.location}
          trip={trip ?? newest}
          toPickup={toPickup(trip)}
        />
        {working ? <PositionWarning locating={own.locating} /> : null}
      </div>
      <div className={classes.panel}>
        {isDriving ? null : (
          <div className={classes.requests}>
            {requests.requests.map((request) => (
              <RequestCard
                key={request.id}
                request={request}
                busy={requests.answering !== null}
                onAccept={() => void requests.accept(request)}
                onDecline={() => void requests.decline(request)}
              />
            ))}
          </div>
        )}
        <OutcomeLine outcome={requests.outcome} />
        {cancelled ? <CancelledNotice booking={cancelled} onRead={read} /> : null}
        {changed ? <ChangedNotice changed={changed} onRead={readChange} /> : null}
        {withdrawn ? <WithdrawnNotice notice={withdrawn} onRead={read} /> : null}
        {lostStep ? (
          <p className={classes.warning} role="alert">
            <ErrorMessage error={lostStep.error} />
          </p>
        ) : null}
        {finished ? (
          <RateRider key={finished.id} booking={finished} onDone={() => leave(finished.id)} />
        ) : trip ? (
          <TripPanel
            key={trip.id}
            booking={trip}
            chat={chat}
            own={own.locating === 'live' ? own.position : null}
            tapped={queue.steps}
            refusal={queue.refusal}
            onStep={(step) => void queue.add(step)}
          />
        ) : null}
        {upcoming ? (
          <UpcomingRequest
            request={upcoming}
            busy={requests.answering !== null}
            onDecline={() => void requests.decline(upcoming)}
          />
        ) : null}
        <OnlineSwitch
          state={state.data}
          blocks={blocks}
          locating={own.locating}
          connected={connected}
          busy={switching.isPending}
          error={switching.error}
          onChange={(wanted) => switching.mutate({ online: wanted })}
        />
        {isFree && online ? (
          <p className={classes.waitingForRequests} data-idle={!isReachable || undefined}>
            <span className={classes.pulse} aria-hidden />
            {t('driver.waiting')}
          </p>
        ) : null}
        {online ? <PushOffer reason="requests" /> : null}
        <RecentRequests offers={requests.requests.map(({ id }) => id).join()} />
        <TodayCard today={state.data.today} />
        <Link to="/earnings" className={classes.allEarnings}>
          {t('earnings.see_all')}
        </Link>
        <p className={classes.note}>{t('driver.locked_phone')}</p>
      </div>
    </div>
  )
}

/** Scrolls to the top on a new trip step: on a phone the page may be scrolled down. */
function useBackToTop(moment: string | null): void {
  const seen = useRef(moment)
  useEffect(() => {
    if (seen.current === moment) return
    seen.current = moment
    if (moment) window.scrollTo({ top: 0 })
  }, [moment])
}

/** A placeholder of the console's size, to avoid layout shift. */
function ConsoleLoading() {
  return (
    <div className={classes.console}>
      <div className={classes.map} />
      <div className={classes.panel}>
        <LoadingState rows={3} height="96px" />
      </div>
    </div>
  )
}

function toPickup(trip: BookingView | null): boolean {
  return trip === null || trip.status === 'ACCEPTED' || trip.status === 'ARRIVED'
}

function OutcomeLine({ outcome }: { outcome: ReturnType<typeof useRequests>['outcome'] }) {
  const { t } = useText()
  if (!outcome) return null
  return (
    <output className={classes.outcome}>
      {outcome.kind === 'refused' ? (
        <ErrorMessage error={outcome.error} />
      ) : (
        t(`driver.request_${outcome.kind}`)
      )}
    </output>
  )
}

const DriverMapLayers = lazy(() => import('./driver-map.tsx'))

/** The driver's position and destination; text where no map can be drawn. */
function DriverMap(props: DriverMapProps) {
  const { t } = useText()
  const { trip } = props
  const items = trip
    ? [
        { id: 'pickup', label: t('map.pickup'), detail: trip.pickupAddress },
        { id: 'drop', label: t('map.drop'), detail: trip.dropAddress },
      ]
    : []
  return (
    <MapFrame
      label={t('driver.map')}
      items={items}
      render={(onFail) => <DriverMapLayers {...props} onFail={onFail} />}
    />
  )
}
