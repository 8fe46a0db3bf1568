import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { reasonLimits, reasonProblem } from '@hansom/domain/cancel-reasons/reasons'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { useMedia } from '../../lib/use-media.ts'
import { MoveButtons } from './move-buttons.tsx'

interface Moving {
  count: number
  moveBy: (reason: AdminCancelReason, by: number) => void
}

/** The place as people count it; with a word before it where no header says what it is. */
function Place({ value }: { value: number }) {
  const { t } = useText()
  const format = useFormat()
  const place = format.number(value + 1)
  return useMedia('(max-width: 640px)') ? <>{t('cancelReasons.place_nr', { place })}</> : <Ltr>{place}</Ltr>
}

/** The columns of the list; `moving` is null while nothing may be changed. */
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
    {
      id: 'label',
      header: 'cancelReasons.label',
      cell: (reason) => <bdi>{reason.label}</bdi>,
      width: 640,
      hideable: false,
      phone: 'title',
      edit: {
        kind: 'text',
        value: (reason) => reason.label,
        changes: (label) => ({ label: String(label) }),
        validate: (label) => {
          const problem = reasonProblem(String(label))
          return problem ? `field_${problem}` : null
        },
        maxLength: reasonLimits.label,
      },
    },
    ...(moving
      ? [
          {
            id: 'move',
            header: 'cancelReasons.move',
            cell: (reason: AdminCancelReason) => (
              <MoveButtons reason={reason} count={moving.count} onMove={moving.moveBy} />
            ),
            width: 104,
          },
        ]
      : []),
  ]
}
