import type { ListedBooking } from '@hansom/contract/bookings'
import type { Candidate } from '@hansom/contract/dispatch'
import { withdrawReasons } from '@hansom/domain/cancel-reasons/reasons'
import { assignedAnswerMs, nextTripAnswerMs } from '@hansom/domain/dispatch/timing'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AdminReason } from '../../../entities/bookings/admin-reason.tsx'
import { useSeenVersion } from '../../../entities/bookings/seen-version.ts'
import { useCarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { CandidatePicker } from '../../../entities/dispatch/candidate-list.tsx'
import { useHold } from '../../../entities/dispatch/use-hold.ts'
import { api } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { AlertDialog, Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './trip-actions.module.css'

/** On the trip page: an admin sends the request to one driver, or takes the trip from its driver. */
export function AssignDriver({ view }: { view: ListedBooking }) {
  const { t } = useText()
  const [open, setOpen] = useState<'assign' | 'withdraw' | null>(null)
  const isDriven = view.driver !== null
  const close = () => setOpen(null)
  return (
    <>
      {view.commands.includes('assign_driver') ? (
        <Button
          variant={isDriven ? 'secondary' : 'primary'}
          size="large"
          wide
          aria-haspopup="dialog"
          onClick={() => setOpen('assign')}
        >
          {t(isDriven ? 'trip.reassign_driver' : 'trip.assign_driver')}
        </Button>
      ) : null}
      {view.commands.includes('withdraw_driver') ? (
        <Button size="large" wide aria-haspopup="dialog" onClick={() => setOpen('withdraw')}>
          {t(isDriven ? 'trip.withdraw_driver' : 'trip.withdraw_requests')}
        </Button>
      ) : null}
      {open === 'assign' ? <AssignDriverDialog view={view} onClose={close} /> : null}
      {open === 'withdraw' ? <WithdrawDriverDialog view={view} onClose={close} /> : null}
    </>
  )
}

/** Selects a driver, nearest first, and sends the request; a trip with a driver needs the reason. */
export function AssignDriverDialog({ view, onClose }: { view: ListedBooking; onClose: () => void }) {
  const { t } = useText()
  const carTypeName = useCarTypeName()
  const { autoDispatch } = useSettings()
  const format = useFormat()
  const [driver, setDriver] = useState<Candidate>()
  const [reason, setReason] = useState('')
  const isDriven = view.driver !== null
  const holder = useHold(view.id)
  const version = useSeenVersion(view)
  const isNext = driver !== undefined && driver.freeS > 0
  const answerS = (isNext ? nextTripAnswerMs : assignedAnswerMs) / 1000
  const assign = useMutation({
    mutationFn: (input: { id: string; driver: string; version: number; reason?: string }) =>
      idempotentCall('assign_driver', input, api.bookings.assign_driver),
    onSuccess: (next) => storeBooking(next),
  })
  if (assign.isSuccess) {
    return (
      <AlertDialog open onClose={onClose}>
        {isNext
          ? t('dispatch.assigned_next', { name: isolated(driver.name), code: isolated(view.booking_id) })
          : t('trip.driver_assigned')}
      </AlertDialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(isDriven ? 'trip.reassign_title' : 'trip.assign_title', { code: isolated(view.booking_id) })}
      footer={
        <Button
          variant="primary"
          wide
          disabled={driver === undefined || (isDriven && !reason)}
          busy={assign.isPending}
          onClick={() =>
            driver &&
            assign.mutate({ id: view.id, driver: driver.id, version, ...(isDriven ? { reason } : {}) })
          }
        >
          {t('trip.assign')}
        </Button>
      }
    >
      {holder ? (
        <Notice tone="attention">
          <strong>{t('dispatch.held_by', { name: isolated(holder.name) })}</strong>
          <br />
          {t('dispatch.held_text', { name: isolated(holder.name) })}
        </Notice>
      ) : null}
      {isDriven ? (
        <p className={classes.text}>
          {t('trip.reassign_text', { driver: isolated(view.driver_name ?? '') })}
        </p>
      ) : null}
      <p className={classes.text}>
        {t('trip.assign_text', { carType: isolated(carTypeName(view.carType)) })}{' '}
        {autoDispatch ? t('trip.assign_for', { duration: isolated(format.duration(answerS)) }) : null}
      </p>
      <CandidatePicker booking={view.id} value={driver?.id} onChange={setDriver} />
      <p className={classes.text}>
        <Link to="/dispatch" search={{ booking: view.id }}>
          {t('dispatch.on_map')}
        </Link>
      </p>
      {isDriven ? (
        <AdminReason label={t('trip.cancel_reason')} reasons={withdrawReasons} onChange={setReason} />
      ) : null}
      {assign.isError ? (
        <Notice tone="bad">
          <ErrorMessage error={assign.error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}

/** Takes the trip from its driver, or withdraws the open requests, with a reason. */
export function WithdrawDriverDialog({ view, onClose }: { view: ListedBooking; onClose: () => void }) {
  const { t } = useText()
  const { autoDispatch } = useSettings()
  const [reason, setReason] = useState('')
  const version = useSeenVersion(view)
  const withdraw = useMutation({
    mutationFn: (input: { id: string; reason: string; version: number }) =>
      idempotentCall('withdraw_driver', input, api.bookings.withdraw_driver),
    onSuccess: (next) => {
      storeBooking(next)
      onClose()
    },
  })
  const kind = view.driver === null ? 'withdraw_requests' : 'withdraw'
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`trip.${kind}_title`, {
        code: isolated(view.booking_id),
        driver: isolated(view.driver_name ?? ''),
      })}
      footer={
        <>
          <Button
            variant="danger"
            wide
            disabled={!reason}
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate({ id: view.id, reason, version })}
          >
            {t(`trip.${kind}_confirm`)}
          </Button>
          <Button wide onClick={onClose}>
            {t('trip.keep_driver')}
          </Button>
        </>
      }
    >
      <p className={classes.text}>
        {t(`trip.${kind}_text`)} {t(autoDispatch ? 'trip.withdraw_auto' : 'trip.withdraw_manual')}
      </p>
      <AdminReason label={t('trip.cancel_reason')} reasons={withdrawReasons} onChange={setReason} />
      {withdraw.isError ? (
        <Notice tone="bad">
          <ErrorMessage error={withdraw.error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}
