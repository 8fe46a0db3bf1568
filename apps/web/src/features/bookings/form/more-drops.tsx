import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { maxDrops } from '@hansom/domain/deliveries/delivery'
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { PlaceField } from '../../../entities/places/place-field.tsx'
import { useFormat, withoutIsolates } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import classes from './more-drops.module.css'
import { changeDrops, draftDrops, emptyParcel } from './parcel-draft.ts'
import type { BookingFormState } from './use-booking.ts'

interface Props {
  booking: Pick<BookingFormState, 'draft' | 'change'>
  callerPlaces?: readonly PlacePoint[] | undefined
}

/** The drops of a delivery after the first one, and whether they are visited in the best order. */
export default function MoreDrops({ booking: { draft, change }, callerPlaces }: Props) {
  const { t } = useText()
  const format = useFormat()
  const { region } = useSettings()
  const list = useRef<HTMLOListElement>(null)
  const drops = draftDrops(draft)
  const parcel = draft.parcel ?? emptyParcel
  const focus = (index: number) =>
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLElement>('[role=combobox]')[index - 1]?.focus(),
    )
  const move = (from: number, to: number) => {
    if (to < 0 || to >= drops.length) return
    change({ type: 'set', values: changeDrops.move(draft, from, to) })
    const place = drops[from]?.point?.add ?? t('delivery.stop', { number: from + 1 })
    announce(withoutIsolates(t('parcelForm.moved', { place, number: to + 1 })))
    focus(Math.max(to, 1))
  }
  const remove = (index: number) => {
    change({ type: 'set', values: changeDrops.remove(draft, index) })
    announce(t('parcelForm.removed', { number: index + 1 }))
    focus(Math.min(index, drops.length - 2))
  }
  /** Alt with an arrow key moves the stop whose field has the focus. */
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    move(index, index + by)
  }
  const isFull = drops.length >= maxDrops
  return (
    <div className={classes.more}>
      {drops.length > 1 ? (
        <ol ref={list} className={classes.drops} start={2} aria-label={t('parcelForm.more_stops')}>
          {drops.map((drop, index) =>
            index === 0 ? null : (
              // Receives the key events of the field.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
              <li key={drop.key} onKeyDown={(event) => onKeyDown(event, index)}>
                <span className={classes.number} aria-hidden>
                  {format.number(index + 1)}
                </span>
                <PlaceField
                  which="drop"
                  label={t('delivery.stop', { number: index + 1 })}
                  point={drop.point}
                  near={draft.pickup ?? region.center}
                  callerPlaces={callerPlaces}
                  locating={false}
                  onChange={(point) =>
                    change({ type: 'set', values: changeDrops.place(draft, index, point) })
                  }
                  onType={() => change({ type: 'set', values: changeDrops.place(draft, index, null) })}
                  onChosen={() => {}}
                />
                <Button
                  variant="quiet"
                  size="icon"
                  aria-label={t('parcelForm.move_up', { number: index + 1 })}
                  onClick={() => move(index, index - 1)}
                >
                  <IconArrowUp size={18} aria-hidden />
                </Button>
                <Button
                  variant="quiet"
                  size="icon"
                  aria-label={t('parcelForm.remove', { number: index + 1 })}
                  onClick={() => remove(index)}
                >
                  <IconX size={18} aria-hidden />
                </Button>
              </li>
            ),
          )}
        </ol>
      ) : null}
      {isFull ? (
        <p className={classes.hint}>{t('parcelForm.most_stops', { number: maxDrops })}</p>
      ) : (
        <Button
          variant="quiet"
          className={classes.add}
          onClick={() => {
            change({ type: 'set', values: changeDrops.add(draft) })
            focus(drops.length)
          }}
        >
          <IconPlus size={18} aria-hidden />
          {t('parcelForm.add_stop')}
        </Button>
      )}
      {drops.length > 1 ? (
        <SwitchField
          label={t('parcelForm.best_order')}
          hint={t('parcelForm.best_order_text')}
          checked={parcel.order === 'best'}
          onChange={(isBest) =>
            change({ type: 'set', values: { parcel: { ...parcel, order: isBest ? 'best' : 'given' } } })
          }
        />
      ) : null}
    </div>
  )
}
