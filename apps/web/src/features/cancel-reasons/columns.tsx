import type { OfficeCancelReason } from '@hansom/contract/cancel-reasons'
import { reasonLimits, reasonProblem } from '@hansom/domain/cancel-reasons/reasons'
import { Ltr } from '../../ui/ltr.tsx'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { MoveButtons } from './move-buttons.tsx'

interface Moving {
  count: number
  moveBy: (reason: OfficeCancelReason, by: number) => void
}

/** The columns of the list; `moving` is null while nothing may be changed. */
export function reasonColumns(moving: Moving | null): readonly TableColumn<OfficeCancelReason>[] {
  return [
    {
      id: 'value',
      header: 'cancelReasons.place',
      cell: (reason) => (
        <span data-reason={reason.id}>
          <Ltr>{reason.value + 1}</Ltr>
        </span>
      ),
      align: 'end',
      width: 90,
    },
    {
      id: 'label',
      header: 'cancelReasons.label',
      cell: (reason) => <bdi>{reason.label}</bdi>,
      width: 420,
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
            cell: (reason: OfficeCancelReason) => (
              <MoveButtons reason={reason} count={moving.count} onMove={moving.moveBy} />
            ),
            width: 130,
          },
        ]
      : []),
  ]
}
