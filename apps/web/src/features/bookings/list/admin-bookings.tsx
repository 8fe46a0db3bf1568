import type { ListedBooking } from '@hansom/contract/bookings'
import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { bookingStatuses, paymentModes } from '@hansom/domain/bookings/status'
import { areaCenter, outcomes } from '@hansom/domain/reports/operations'
import { isRefundable } from '@hansom/domain/wallet/refund'
import { IconArrowBackUp, IconCircleX, IconPencil, IconUserCheck } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useReasonText } from '../../../entities/bookings/reason-text.ts'
import { useCarTypeChoices, useCarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { UserName, UserPicker } from '../../../entities/users/user-picker.tsx'
import { api } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { FilterDisplay, RowAction } from '../../../ui/table/table-types.ts'
import { notifyTable } from '../../../ui/table/table-updates.ts'
import { bookingColumns } from './booking-columns.tsx'
import { reportFilters } from './chat-figures.tsx'

const table = 'bookings'
const idOf = ({ id }: ListedBooking) => id

/** A command with its own dialog. */
export type AdminCommand = 'cancel' | 'assign_driver' | 'change' | 'refund'

interface Props {
  /** Renders the dialog of a command on a booking. */
  dialog: (command: AdminCommand, booking: ListedBooking, onClose: () => void) => ReactNode
}

/** The bookings table of the back office: all for an admin, the fleet's for a fleet admin; open ones update live. */
export function AdminBookings({ dialog }: Props) {
  const { t } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const isAdmin = useMe()?.usertype === 'admin'
  const { AllowCriticalEditsAdmin, autoDispatch, category } = useSettings()
  const isDelivery = category === 'delivery'
  const [command, setCommand] = useState<{ name: AdminCommand; booking: ListedBooking } | null>(null)
  const carTypeName = useCarTypeName()
  const reasonText = useReasonText()
  const { chat_report, reported } = useSearch({ from: '/app/bookings' })
  const isReported = chat_report !== undefined || reported !== undefined
  const columns = useMemo(
    () => bookingColumns({ format, t, isAdmin, isDelivery, carTypeName, reasonText, isReported }),
    [format, t, isAdmin, isDelivery, carTypeName, reasonText, isReported],
  )
  const filters = useMemo(() => bookingFilters(isAdmin, isDelivery), [isAdmin, isDelivery])
  useLive('bookings', null, {
    onEvent: (event) => {
      // Only the server knows whether and where a new booking appears with the current filters; `storeBooking` changes rows.
      if ('put' in event && event.put.version === 1) notifyTable(table)
    },
  })
  const actionsOf = (booking: ListedBooking): RowAction<ListedBooking>[] => {
    const may = (name: string) => booking.commands.includes(name)
    return [
      ...(isAdmin && isRefundable(booking)
        ? [
            {
              id: 'refund',
              label: t('history.refund'),
              icon: <IconArrowBackUp size={18} aria-hidden />,
              onSelect: () => setCommand({ name: 'refund', booking }),
            },
          ]
        : []),
      // The trip page and the dispatch screen assign in other cases, too.
      ...(may('assign_driver') && booking.status === 'NEW' && !autoDispatch
        ? [
            {
              id: 'assign_driver',
              label: t('history.assign_driver'),
              icon: <IconUserCheck size={18} aria-hidden />,
              onSelect: () => setCommand({ name: 'assign_driver', booking }),
            },
          ]
        : []),
      ...(may('change')
        ? [
            {
              id: 'change',
              label: t('trip.edit'),
              icon: <IconPencil size={18} aria-hidden />,
              onSelect: () => setCommand({ name: 'change', booking }),
            },
          ]
        : []),
      ...(may('cancel')
        ? [
            {
              id: 'cancel',
              label: t('history.cancel'),
              icon: <IconCircleX size={18} aria-hidden />,
              danger: true,
              onSelect: () => setCommand({ name: 'cancel', booking }),
            },
          ]
        : []),
    ]
  }
  return (
    <>
      <DataTable
        name={table}
        changeEvents="noticed"
        watched
        title="history.title"
        spec={bookingsTableSpec}
        columns={columns}
        filters={filters}
        page={(query) => api.bookings.list(query)}
        count={(narrowing) => api.bookings.count(narrowing)}
        totalsNote="history.totals_note"
        rowId={idOf}
        rowName={({ booking_id }) => booking_id}
        rowActions={actionsOf}
        link={({ id }) => `/trip/${id}`}
        onOpen={({ id }) => void navigate({ to: '/trip/$id', params: { id } })}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/bookings' : undefined}
        empty={{ title: 'error.no_bookings', text: 'history.empty_text' }}
      />
      {command ? dialog(command.name, command.booking, () => setCommand(null)) : null}
    </>
  )
}

function bookingFilters(isAdmin: boolean, isDelivery: boolean): Record<string, FilterDisplay> {
  const keys = (values: readonly string[], group: string) =>
    Object.fromEntries(values.map((value) => [value, `history.${group}_${value}`]))
  return {
    status: {
      label: 'history.status',
      words: { ...keys(bookingStatuses, 'status'), open: 'history.show_open', ended: 'history.show_ended' },
    },
    tripdate: { label: 'history.tripdate' },
    car_type_id: { label: 'history.carType', pick: CarTypePick, named: CarTypeOf },
    ...(isAdmin ? { customer: { label: 'history.rider', pick: RiderPick, named: UserName } } : {}),
    driver: { label: 'history.driver', pick: DriverPick, named: UserName },
    ...(isAdmin ? { fleetadmin: { label: 'history.fleet', pick: FleetPick, named: UserName } } : {}),
    outcome: { label: 'history.outcome', words: keys(outcomes, 'outcome') },
    reason: { label: 'history.reason', named: ReasonName },
    hour: { label: 'history.hour' },
    area: { label: 'history.area', named: AreaName },
    offered: { label: 'history.offered' },
    accepted: { label: 'history.accepted' },
    arrived: { label: 'history.arrived' },
    objection: { label: 'history.objection', words: { open: 'history.objection_open' } },
    ...(isAdmin ? reportFilters : {}),
    ...(isDelivery ? { unproven: { label: 'history.unproven' } } : {}),
    payment_mode: { label: 'history.payment_mode', words: keys(paymentModes, 'pay') },
    bookLater: { label: 'history.booked', words: { true: 'history.bookLater', false: 'history.bookNow' } },
  }
}

type Pick = NonNullable<FilterDisplay['pick']>
const userPick =
  (usertype: 'rider' | 'driver' | 'fleetadmin', label: string): Pick =>
  ({ value, onChange }) => {
    const { t } = useText()
    return <UserPicker label={t(label)} usertype={usertype} value={value} onChange={onChange} />
  }
const RiderPick = userPick('rider', 'history.rider')
const DriverPick = userPick('driver', 'history.driver')
const FleetPick = userPick('fleetadmin', 'history.fleet')

/** Car type select for a filter. */
function CarTypePick({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const { t } = useText()
  const carTypes = useCarTypeChoices()
  return (
    <select
      aria-label={t('history.carType')}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{t('table.none')}</option>
      {carTypes.map(({ value: id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Name of a car type by id, for filter chips. */
function CarTypeOf({ id }: { id: string }) {
  return <bdi>{useCarTypeChoices().find(({ value }) => value === id)?.label ?? '…'}</bdi>
}

/** A reason for filter chips. */
function ReasonName({ id }: { id: string }) {
  return <bdi>{useReasonText()(id)}</bdi>
}

/** The center of an area of the operator's figures, for filter chips. */
function AreaName({ id }: { id: string }) {
  const format = useFormat()
  const { lat, lng } = areaCenter(Number(id))
  return (
    <bdi dir="ltr">
      {format.number(lat, 3)}, {format.number(lng, 3)}
    </bdi>
  )
}
