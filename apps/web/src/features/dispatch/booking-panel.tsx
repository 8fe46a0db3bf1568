import type { Candidate, DispatchBooking, DispatchHold } from '@hansom/contract/dispatch'
import { withdrawReasons } from '@hansom/domain/cancel-reasons/reasons'
import { IconArrowLeft, IconExternalLink, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { AdminReason } from '../../entities/bookings/admin-reason.tsx'
import { useSeenVersion } from '../../entities/bookings/seen-version.ts'
import { CarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { CandidateHint, CandidateList, isAssignable } from '../../entities/dispatch/candidate-list.tsx'
import { Decisions } from '../../entities/dispatch/decisions.tsx'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { storeBooking } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import { PhoneLink } from '../../ui/phone-link.tsx'
import classes from './booking-panel.module.css'

interface Props {
  booking: DispatchBooking
  /** Another admin who has it open. */
  holder: DispatchHold | undefined
  candidates: readonly Candidate[] | undefined
  error: unknown
  chosen: Candidate | undefined
  onChoose: (id: string) => void
  onRefresh: () => void
  /** `done`: what was done, for the status line; null when the panel was closed without a command. */
  onClose: (done: string | null) => void
}

/** The open booking: its facts, the drivers who could take it, and the commands. */
export function BookingPanel(props: Props) {
  const { booking, holder, candidates, error, chosen, onChoose, onRefresh, onClose } = props
  const { t } = useText()
  const box = useRef<HTMLElement>(null)
  const [asking, setAsking] = useState<'assign' | 'withdraw' | null>(null)
  const { assign, withdraw } = useCommands(booking, onClose)
  const isDriven = booking.driver !== null
  const ready = candidates !== undefined

  // The chosen driver, so that Enter assigns. The list arrives after the panel has opened.
  useEffect(() => {
    const find = (part: string) => box.current?.querySelector<HTMLElement>(part)
    const first = find('[role="radio"][tabindex="0"]') ?? find('[data-back]')
    first?.focus({ preventScroll: true })
  }, [booking.id, ready])

  const confirm = () => {
    if (!chosen || !isAssignable(chosen) || assign.isPending) return
    if (isDriven) setAsking('assign')
    else assign.mutate({ driver: chosen })
  }
  return (
    <section ref={box} className={classes.panel} aria-labelledby="dispatch-booking">
      <header className={classes.panelHead}>
        <Button
          variant="quiet"
          size="icon"
          data-back
          aria-label={t('dispatch.back')}
          onClick={() => onClose(null)}
        >
          <IconArrowLeft size={20} className={classes.mirrored} aria-hidden />
        </Button>
        <h2 id="dispatch-booking" className={classes.panelTitle}>
          <Ltr>{booking.booking_id}</Ltr> <bdi>{booking.customer_name}</bdi>
        </h2>
        <Link to="/trip/$id" params={{ id: booking.id }} className={classes.tripLink}>
          {t('dispatch.open_trip')}
          <IconExternalLink size={16} className={classes.mirrored} aria-hidden />
        </Link>
      </header>
      <div className={classes.panelBody}>
        {holder ? (
          <Notice tone="attention">
            <strong>{t('dispatch.held_by', { name: isolated(holder.name) })}</strong>
            <br />
            {t('dispatch.held_text', { name: isolated(holder.name) })}
          </Notice>
        ) : null}
        <BookingFacts booking={booking} />
        <div className={classes.candidatesHead}>
          <h3>{t('dispatch.candidates')}</h3>
          <Button variant="quiet" size="icon" aria-label={t('dispatch.refresh')} onClick={onRefresh}>
            <IconRefresh size={18} aria-hidden />
          </Button>
        </div>
        {error ? (
          <Notice tone="bad">
            <ErrorMessage error={error} />
          </Notice>
        ) : candidates === undefined ? (
          <LoadingState rows={4} height="60px" />
        ) : candidates.length === 0 ? (
          <p className={classes.none}>{t('dispatch.candidates_none')}</p>
        ) : (
          <CandidateList
            candidates={candidates}
            chosen={chosen?.id ?? null}
            onChoose={onChoose}
            onConfirm={confirm}
          />
        )}
        <Decisions booking={booking.id} version={booking.version} />
      </div>
      <footer className={classes.panelFoot}>
        <CandidateHint candidate={chosen} />
        {assign.isError ? (
          <Notice tone="bad">
            <ErrorMessage error={assign.error} />
          </Notice>
        ) : null}
        <Button
          variant="primary"
          wide
          disabled={!chosen || !isAssignable(chosen)}
          busy={assign.isPending}
          onClick={confirm}
        >
          {chosen ? t(assignText(chosen, holder), { name: isolated(chosen.name) }) : t('trip.assign')}
        </Button>
        {isDriven || booking.asked.length > 0 ? (
          <Button wide onClick={() => setAsking('withdraw')}>
            {t(isDriven ? 'dispatch.withdraw' : 'dispatch.withdraw_requests')}
          </Button>
        ) : null}
      </footer>
      {asking === 'assign' && chosen ? (
        <ReasonDialog
          title={t('trip.reassign_title', { code: isolated(booking.booking_id) })}
          text={t('dispatch.reassign_text', { driver: isolated(booking.driver_name ?? '') })}
          action={t('dispatch.assign', { name: isolated(chosen.name) })}
          booking={booking}
          command={assign}
          onConfirm={(given) => assign.mutate({ driver: chosen, given })}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'withdraw' ? (
        <ReasonDialog
          title={t(isDriven ? 'dispatch.withdraw' : 'dispatch.withdraw_requests')}
          text={t(isDriven ? 'trip.withdraw_text' : 'trip.withdraw_requests_text')}
          action={t('dispatch.withdraw_confirm')}
          booking={booking}
          command={withdraw}
          onConfirm={withdraw.mutate}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </section>
  )
}

function assignText({ freeS }: Candidate, holder: DispatchHold | undefined) {
  if (holder) return 'dispatch.assign_anyway'
  return freeS > 0 ? 'dispatch.assign_next' : 'dispatch.assign'
}

/** The commands on a booking; each refuses if the booking has changed since the screen showed it. */
function useCommands({ id, booking_id, version }: DispatchBooking, onClose: Props['onClose']) {
  const { t } = useText()
  const code = isolated(booking_id)
  const assign = useMutation({
    mutationFn: ({
      driver,
      given = { version },
    }: {
      driver: Candidate
      given?: Given | { version: number }
    }) => idempotentCall('assign_driver', { id, driver: driver.id, ...given }, api.bookings.assign_driver),
    onSuccess: (view, { driver }) => {
      storeBooking(view)
      const done = driver.freeS > 0 ? 'dispatch.assigned_next' : 'dispatch.assigned'
      onClose(t(done, { name: isolated(driver.name), code }))
    },
  })
  const withdraw = useMutation({
    mutationFn: (given: Given) =>
      idempotentCall('withdraw_driver', { id, ...given }, api.bookings.withdraw_driver),
    onSuccess: (view) => {
      storeBooking(view)
      onClose(t('dispatch.withdrawn', { code }))
    },
  })
  return { assign, withdraw }
}

function BookingFacts({ booking }: { booking: DispatchBooking }) {
  const { t } = useText()
  const format = useFormat()
  const { pickup, drop, carType, bookLater, tripdate, note, driver_name, vehicle_number, payment_mode } =
    booking
  const contacts = useQuery({
    ...orpc.bookings.get.queryOptions({ input: { id: booking.id } }),
    queryKey: [...orpc.bookings.get.queryKey({ input: { id: booking.id } }), booking.driver],
  })
  const { customer_contact: riderPhone, driver_contact: driverPhone } = contacts.data ?? {}
  const facts: [name: string, value: React.ReactNode][] = [
    [t('map.pickup'), <bdi key="value">{pickup.add}</bdi>],
    [t('map.drop'), <bdi key="value">{drop.add}</bdi>],
    ...(bookLater ? [[t('history.tripdate'), format.dateTime(tripdate)] as [string, string]] : []),
    [t('dispatch.car_type'), <CarTypeName key="value" stored={carType} />],
    [t('history.payment_mode'), t(`history.pay_${payment_mode}`)],
    ...(note === null
      ? []
      : [[t('bookingTexts.note'), <bdi key="value">{note}</bdi>] as [string, React.ReactNode]]),
  ]
  return (
    <dl className={classes.factList}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>{t('history.rider')}</dt>
        <dd className={classes.person}>
          <bdi>{booking.customer_name}</bdi>
          {riderPhone ? <PhoneLink phone={riderPhone} /> : null}
        </dd>
      </div>
      {driver_name === null ? null : (
        <div>
          <dt>{t('trip.driver')}</dt>
          <dd className={classes.person}>
            <bdi>{driver_name}</bdi>
            {vehicle_number === null ? null : <Ltr>{vehicle_number}</Ltr>}
            {driverPhone ? <PhoneLink phone={driverPhone} /> : null}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** A reason, and the version of the booking it was given for. */
interface Given {
  reason: string
  version: number
}

interface ReasonProps {
  booking: DispatchBooking
  title: string
  text: string
  action: string
  command: { isPending: boolean; isError: boolean; error: unknown }
  onConfirm: (given: Given) => void
  onClose: () => void
}

/** Asks an admin for the reason of a command that people are told. */
function ReasonDialog({ booking, title, text, action, command, onConfirm, onClose }: ReasonProps) {
  const { t } = useText()
  const [reason, setReason] = useState('')
  const version = useSeenVersion(booking)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <Button
          variant="primary"
          wide
          disabled={!reason}
          busy={command.isPending}
          onClick={() => onConfirm({ reason, version })}
        >
          {action}
        </Button>
      }
    >
      <p>{text}</p>
      <AdminReason label={t('trip.cancel_reason')} reasons={withdrawReasons} onChange={setReason} />
      {command.isError ? (
        <Notice tone="bad">
          <ErrorMessage error={command.error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}
