import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { reasonLimits, reasonProblems } from '@hansom/domain/cancel-reasons/reasons'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { checkedEdit } from '../../ui/table/edit-value.ts'
import type { RowAction, TableColumn } from '../../ui/table/table-types.ts'
import classes from './cancel-reasons.module.css'

/** A reason as it is entered. */
export type ReasonDraft = Pick<AdminCancelReason, 'label' | 'translations'>

/** The text of a reason, as a column and as the field of its dialog. */
export const labelColumn: TableColumn<ReasonDraft> = {
  id: 'label',
  header: 'cancelReasons.label',
  cell: ({ label }) => <bdi>{label}</bdi>,
  width: 640,
  hideable: false,
  phone: 'title',
  edit: checkedEdit<ReasonDraft>(reasonProblems)('text', 'label', { maxLength: reasonLimits.label }),
}

interface Moving {
  count: number
  moveBy: (reason: AdminCancelReason, by: number) => void
}

/** The columns of the list; `moving` is null while changes are not allowed. */
export function reasonColumns(moving: Moving | null): readonly TableColumn<AdminCancelReason>[] {
  return [
    {
      id: 'value',
      header: 'cancelReasons.place',
      cell: (reason) => (
        <span data-reason={reason.id}>
          <Place value={reason.value} />
        </span>
      ),
      align: 'center',
      width: 72,
      phone: 'subtitle',
    },
    labelColumn,
    ...(moving
      ? [
          {
            id: 'move',
            header: 'cancelReasons.move',
            cell: (reason: AdminCancelReason) => <MoveButtons reason={reason} {...moving} />,
            width: 104,
          },
        ]
      : []),
  ]
}

/** The position, counted from 1. Phone cards have no header, so it includes a label there. */
function Place({ value }: { value: number }) {
  const { t } = useText()
  const format = useFormat()
  const place = format.number(value + 1)
  return useMedia('(max-width: 640px)') ? <>{t('cancelReasons.place_nr', { place })}</> : <Ltr>{place}</Ltr>
}

/** Moves a reason up or down. Not in the Tab order, because Alt with an arrow key does the same. */
function MoveButtons({ reason, count, moveBy }: Moving & { reason: AdminCancelReason }) {
  const { t } = useText()
  const step = (by: -1 | 1, disabled: boolean) => (
    <button
      type="button"
      tabIndex={-1}
      className={classes.step}
      disabled={disabled}
      aria-label={t(by < 0 ? 'cancelReasons.up_of' : 'cancelReasons.down_of', { name: reason.label })}
      onClick={() => moveBy(reason, by)}
    >
      {by < 0 ? <IconArrowUp size={18} aria-hidden /> : <IconArrowDown size={18} aria-hidden />}
    </button>
  )
  return (
    <span className={classes.steps}>
      {step(-1, reason.value === 0)}
      {step(1, reason.value >= count - 1)}
    </span>
  )
}

interface Calls extends Moving {
  t: Translate
  onPlace: (reason: AdminCancelReason) => void
}

/** The menu items of a reason other than rename and delete. */
export function reasonActions(
  reason: AdminCancelReason,
  { t, count, moveBy, onPlace }: Calls,
): RowAction<AdminCancelReason>[] {
  const up = {
    id: 'up',
    label: t('cancelReasons.up'),
    icon: <IconArrowUp size={18} aria-hidden />,
    onSelect: () => moveBy(reason, -1),
  }
  const down = {
    id: 'down',
    label: t('cancelReasons.down'),
    icon: <IconArrowDown size={18} aria-hidden />,
    onSelect: () => moveBy(reason, 1),
  }
  const place = {
    id: 'place',
    label: t('cancelReasons.move_title'),
    icon: <IconArrowsSort size={18} aria-hidden />,
    onSelect: () => onPlace(reason),
  }
  return [...(reason.value > 0 ? [up] : []), ...(reason.value < count - 1 ? [down] : []), place]
}
