import type { DispatchHold } from '@hansom/contract/dispatch'
import {
  type BoardRules,
  isAlarm,
  isLate,
  type QueuePart,
  queueParts,
  waitingSince,
} from '@hansom/domain/dispatch/board'
import { IconAlertTriangleFilled, IconLock } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useCarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { stepFocus } from '../../entities/dispatch/step-focus.ts'
import { type Format, isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './queue-list.module.css'
import type { QueueRow } from './steady-rows.ts'

interface Props {
  rows: readonly QueueRow[]
  rules: BoardRules
  now: number
  /** The booking in the panel. */
  open: string | null
  /** Other admins' holds by booking. */
  holds: ReadonlyMap<string, DispatchHold>
  onOpen: (id: string) => void
  /** The pointer has entered or left the list. */
  onHover: (inside: boolean) => void
}

/**
 * The bookings to dispatch, in parts. Arrow keys move, Enter opens; the focus stays on its booking when rows
 * arrive and leave.
 */
export function QueueList({ rows, rules, now, open, holds, onOpen, onHover }: Props) {
  const { t } = useText()
  const format = useFormat()
  const carTypeName = useCarTypeName()
  const { autoDispatch } = useSettings()
  const [stop, setStop] = useState<string | null>(null)
  const tabStop = rows.some(({ booking }) => booking.id === stop) ? stop : rows[0]?.booking.id
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons in it take the focus
    <div
      className={classes.queue}
      onKeyDown={stepFocus}
      // A touch does not stay over the rows.
      onPointerEnter={({ pointerType }) => onHover(pointerType === 'mouse')}
      onPointerLeave={() => onHover(false)}
    >
      {queueParts.map((part) => {
        const inPart = rows.filter((row) => row.part === part)
        if (inPart.length === 0) return null
        return (
          <section key={part} aria-labelledby={`queue-${part}`}>
            <h2 id={`queue-${part}`} className={classes.part}>
              {t(`dispatch.part_${part}`)}{' '}
              <span>{format.number(inPart.filter(({ gone }) => !gone).length)}</span>
            </h2>
            <ul className={classes.rows}>
              {inPart.map(({ booking, gone }) => (
                <QueueItem
                  key={booking.id}
                  format={format}
                  booking={booking}
                  carType={carTypeName(booking.carType)}
                  gone={gone ?? false}
                  part={part}
                  since={waitingSince(booking, rules)}
                  waited={Math.floor((now - waitingSince(booking, rules)) / 60_000)}
                  asked={booking.asked.filter(([, until]) => until === null || until > now).length}
                  alarm={isAlarm(booking, rules, now)}
                  late={isLate(booking, now)}
                  searches={autoDispatch}
                  holder={holds.get(booking.id)?.name ?? null}
                  open={booking.id === open}
                  tabStop={booking.id === tabStop}
                  onOpen={onOpen}
                  onFocus={setStop}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

interface ItemProps {
  /** From the list: one subscription to the settings per row would be slow. */
  format: Format
  booking: QueueRow['booking']
  /** In the page's language. */
  carType: string
  gone: boolean
  part: QueuePart
  since: number
  /** Integer minutes, so that a row changes once a minute. */
  waited: number
  asked: number
  alarm: boolean
  /** The driver should have arrived. */
  late: boolean
  /** Drivers are asked automatically. */
  searches: boolean
  holder: string | null
  open: boolean
  tabStop: boolean
  onOpen: (id: string) => void
  onFocus: (id: string) => void
}

const QueueItem = memo(function QueueItem(props: ItemProps) {
  const {
    booking,
    carType,
    gone,
    part,
    since,
    waited,
    asked,
    alarm,
    late,
    searches,
    holder,
    open,
    tabStop,
    onOpen,
    onFocus,
    format,
  } = props
  const { t } = useText()
  const { id, booking_id, pickup, drop, drops, customer_name, driver_name, vehicle_number } = booking
  const times = {
    searching: () =>
      waited < 1
        ? t('dispatch.waiting_new')
        : t('dispatch.waiting', { duration: isolated(format.duration(waited * 60)) }),
    planned: () => format.dateTime(booking.tripdate),
    assigned: () => {
      const { driver_arrive_time: arrived, promised_arrival: promised } = booking
      if (arrived !== null) return t('dispatch.arrived', { time: isolated(format.clock(arrived)) })
      if (promised === null) return format.dateTime(booking.tripdate)
      return t(late ? 'dispatch.late' : 'dispatch.arrives', { time: isolated(format.clock(promised)) })
    },
  }
  return (
    <li className={classes.item}>
      <button
        type="button"
        className={classes.row}
        data-step
        data-booking={id}
        data-alarm={alarm || undefined}
        data-late={late || undefined}
        data-gone={gone || undefined}
        aria-current={open || undefined}
        tabIndex={tabStop ? 0 : -1}
        onClick={() => onOpen(id)}
        onFocus={() => onFocus(id)}
      >
        <span className={classes.time}>
          {alarm ? <IconAlertTriangleFilled size={16} aria-hidden /> : null}
          <span>{gone ? t('dispatch.gone') : times[part]()}</span>
          {alarm ? <VisuallyHidden>{t('dispatch.alarm')}</VisuallyHidden> : null}
          <span className={classes.code}>
            <Ltr>{booking_id}</Ltr>
          </span>
        </span>
        <span className={classes.from} dir="auto">
          {pickup.add}
        </span>
        <span className={classes.to} dir="auto">
          {drop.add}
        </span>
        <span className={classes.facts}>
          {drops !== null && drops > 1 ? <span>{t('delivery.drops', { count: drops })}</span> : null}
          <bdi>{customer_name}</bdi>
          <bdi>{carType}</bdi>
          {driver_name === null ? null : <bdi>{driver_name}</bdi>}
          {vehicle_number === null ? null : <Ltr>{vehicle_number}</Ltr>}
          {part === 'searching' ? <span>{t('dispatch.asked', { count: asked })}</span> : null}
          {part === 'planned' ? (
            <span>
              {t(searches ? 'dispatch.search_from' : 'dispatch.assign_by', {
                time: isolated(format.clock(since)),
              })}
            </span>
          ) : null}
        </span>
        {holder === null ? null : (
          <span className={classes.held}>
            <IconLock size={14} aria-hidden />
            {t('dispatch.held_by', { name: isolated(holder) })}
          </span>
        )}
      </button>
    </li>
  )
})
