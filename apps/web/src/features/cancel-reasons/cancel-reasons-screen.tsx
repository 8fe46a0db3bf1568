import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { cancelReasonsTableSpec } from '@hansom/contract/cancel-reasons-table'
import { reasonLimits, reasonProblems } from '@hansom/domain/cancel-reasons/reasons'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { fieldOf } from '../../ui/record-field.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countKey, reloadTable, rowsKey } from '../../ui/table/table-updates.ts'
import { translationsField } from '../../ui/translations-field.tsx'
import classes from './cancel-reasons.module.css'
import { labelColumn, type ReasonDraft, reasonActions, reasonColumns } from './reason-columns.tsx'
import { reasonsTable, useMoves } from './use-moves.ts'

const idOf = (reason: AdminCancelReason) => reason.id
const nameOf = (reason: AdminCancelReason) => reason.label
const pageSize = 10

/** The reasons that riders and drivers choose from when they cancel, in order. */
export function CancelReasonsScreen() {
  const { t } = useText()
  const { AllowCriticalEditsAdmin: isEditable } = useSettings()
  const { move, error, settled } = useMoves()
  const [placing, setPlacing] = useState<AdminCancelReason | null>(null)
  const counted = useQuery({
    queryKey: [...countKey(reasonsTable), {}],
    queryFn: () => api.cancelReasons.count({}),
  })
  const count = counted.data?.count ?? 0
  const moveBy = useCallback(
    (reason: AdminCancelReason, by: number) => {
      const to = reason.value + by
      if (to >= 0 && to < count) move(reason, to)
    },
    [move, count],
  )
  const columns = useMemo(
    () => reasonColumns(isEditable ? { count, moveBy } : null),
    [isEditable, count, moveBy],
  )

  /** Alt with an arrow key moves the focused row. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!isEditable || !event.altKey || by === undefined) return
    const at = (event.target as HTMLElement).closest<HTMLElement>('[data-reason]')
    const inRow =
      at ?? (event.target as HTMLElement).closest('[role="row"]')?.querySelector<HTMLElement>('[data-reason]')
    const reason = shownReasons().find(({ id }) => id === inRow?.dataset.reason)
    if (!reason) return
    event.preventDefault()
    moveBy(reason, by)
  }

  return (
    // Receives the key events of the table's rows.
    <div className={classes.page} role="presentation" onKeyDown={onKeyDown}>
      <div className={classes.notices}>
        {isEditable ? null : <Notice tone="plain">{t('cancelReasons.demo')}</Notice>}
        {error ? (
          <Notice tone="bad">
            <ErrorMessage error={error} />
          </Notice>
        ) : null}
      </div>
      <DataTable<AdminCancelReason, typeof cancelReasonsTableSpec>
        name={reasonsTable}
        changeEvents="cancelReasons"
        watched
        title="cancelReasons.title"
        spec={cancelReasonsTableSpec}
        columns={columns}
        pageSize={pageSize}
        page={(query) => settled().then(() => api.cancelReasons.table(query))}
        count={(narrowing) => api.cancelReasons.count(narrowing)}
        rowId={idOf}
        rowName={nameOf}
        exportUrl="/api/v1/exports/cancel-reasons"
        empty={{ title: 'cancelReasons.empty', text: 'cancelReasons.empty_text' }}
        {...(isEditable
          ? {
              save: ({ id, version, label }: AdminCancelReason, changes: Partial<AdminCancelReason>) =>
                api.cancelReasons.update({ id, version, label: changes.label ?? label }),
              create: {
                label: 'cancelReasons.add',
                dialog: ({ onClose }: { onClose: () => void }) => (
                  <ReasonDialog
                    reason={null}
                    onClose={onClose}
                    onSaved={() => {
                      onClose()
                      void reloadTable(reasonsTable)
                    }}
                  />
                ),
              },
              editDialog: (props: ReasonDialogProps & { row: AdminCancelReason }) => (
                <ReasonDialog {...props} reason={props.row} />
              ),
              remove: {
                name: nameOf,
                call: async ({ id }: AdminCancelReason) => {
                  await api.cancelReasons.remove({ id })
                  // The reasons after it moved up.
                  void reloadTable(reasonsTable)
                },
                safety: 'undo' as const,
              },
              rowActions: (reason: AdminCancelReason) =>
                reasonActions(reason, { t, count, moveBy, onPlace: setPlacing }),
            }
          : {})}
      />
      {isEditable && count > 1 ? <p className={classes.hint}>{t('cancelReasons.keys')}</p> : null}
      {placing ? (
        <MoveDialog
          reason={placing}
          count={count}
          onClose={() => setPlacing(null)}
          onMove={(to) => move(placing, to)}
        />
      ) : null}
    </div>
  )
}

const reasonFields = [
  fieldOf(labelColumn),
  translationsField<'label'>([{ id: 'label', header: 'cancelReasons.label', maxLength: reasonLimits.label }]),
]

interface ReasonDialogProps {
  onClose: () => void
  onSaved: (reason: AdminCancelReason) => void
}

/** Edits a reason, or adds one at the end of the list. */
function ReasonDialog({ reason, ...props }: ReasonDialogProps & { reason: AdminCancelReason | null }) {
  const { t } = useText()
  return (
    <RecordDialog<ReasonDraft, AdminCancelReason>
      {...props}
      title={reason ? <bdi>{reason.label}</bdi> : t('cancelReasons.add')}
      action={t(reason ? 'table.save' : 'cancelReasons.add')}
      command={`cancelReasons ${reason?.id ?? ''}`}
      record={reason}
      blank={{ label: '', translations: {} }}
      fields={reasonFields}
      check={reasonProblems}
      save={({ draft, changes, record, options }) =>
        record
          ? api.cancelReasons.update({ ...changes, id: record.id, version: record.version }, options)
          : api.cancelReasons.create(draft, options)
      }
    >
      {({ field }) => (
        <>
          {field('label', t('cancelReasons.label_hint'))}
          {field('translations')}
        </>
      )}
    </RecordDialog>
  )
}

interface MoveProps {
  reason: AdminCancelReason
  count: number
  onClose: () => void
  onMove: (to: number) => void
}

/** Asks for the new position, counted from 1. */
function MoveDialog({ reason, count, onClose, onMove }: MoveProps) {
  const { t } = useText()
  const place = fieldOf<{ place: number }>({
    id: 'place',
    header: t('cancelReasons.place_of', { count }),
    cell: (draft) => draft.place,
    edit: {
      kind: 'number',
      value: (draft) => draft.place,
      changes: (value) => ({ place: Number(value) }),
      maxLength: 6,
    },
  })
  return (
    <RecordDialog<{ place: number }, { place: number }, number>
      title={t('cancelReasons.move_title')}
      action={t('cancelReasons.move')}
      command={`cancelReasons.move ${reason.id}`}
      record={null}
      blank={{ place: reason.value + 1 }}
      fields={[place]}
      check={({ place: to }) =>
        Number.isInteger(to) && to >= 1 && to <= count ? [] : [{ field: 'place', error: 'out_of_range' }]
      }
      save={async ({ draft }) => draft.place - 1}
      onClose={onClose}
      onSaved={(to) => {
        if (to !== reason.value) onMove(to)
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <p>
            <bdi>{reason.label}</bdi>
          </p>
          {field('place')}
        </>
      )}
    </RecordDialog>
  )
}

function shownReasons(): AdminCancelReason[] {
  return queryClient
    .getQueriesData<{ pages: { items: AdminCancelReason[] }[] }>({
      queryKey: rowsKey(reasonsTable),
    })
    .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? [])
}
