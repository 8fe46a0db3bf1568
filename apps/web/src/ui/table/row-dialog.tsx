import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { Notice } from '../notice.tsx'
import { refusedFields } from '../problem-summary.tsx'
import { ChoiceField } from '../select-field.tsx'
import { TextField } from '../text-field.tsx'
import classes from './dialogs.module.css'
import { editText, readEdit, unreadable } from './edit-value.ts'
import { editable } from './table-row.tsx'
import type { EditValue, TableColumn } from './table-types.ts'

interface Props<Row> {
  row: Row
  name: string
  columns: readonly TableColumn<Row>[]
  onClose: () => void
  /** Rejects with the reason of a refusal; the dialog stays open then. */
  onSave: (changes: Partial<Row>) => Promise<void>
}

/** All editable fields of a row in one dialog: used on phones, and as an alternative to editing cells. */
export function RowDialog<Row>({ row, name, columns, onClose, onSave }: Props<Row>) {
  const { t } = useText()
  const settings = useSettings()
  const form = useId()
  const fields = columns.filter((column) => editable(column, row))
  const textOf = (column: TableColumn<Row>) =>
    column.edit ? editText(column.edit.kind, column.edit.value(row), settings) : ''
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    let changes: Partial<Row> = {}
    const wrong: Record<string, string> = {}
    for (const column of fields) {
      const { edit } = column
      const text = typed[column.id]
      if (!edit || text === undefined || text === textOf(column)) continue
      const value: EditValue | typeof unreadable = readEdit(edit, text, settings)
      const refusal = value === unreadable ? null : edit.validate?.(value, row)
      if (value === unreadable) wrong[column.id] = t('table.unreadable')
      else if (refusal) wrong[column.id] = t(`error.${refusal}` as string)
      else changes = { ...changes, ...edit.changes(value, row) }
    }
    setErrors(wrong)
    setRefusal(null)
    if (Object.keys(wrong).length > 0 || busy) return
    if (Object.keys(changes).length === 0) return onClose()
    setBusy(true)
    onSave(changes)
      .then(onClose, (error: unknown) => {
        setErrors(refusedFields(error, t))
        setRefusal(error)
      })
      .finally(() => setBusy(false))
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={<bdi>{name}</bdi>}
      width={520}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t('table.save')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={form} className={classes.form} onSubmit={submit} noValidate>
        {refusal ? (
          <Notice tone="bad">
            <ErrorMessage error={refusal} />
          </Notice>
        ) : null}
        {fields.map((column) => {
          const { edit } = column
          if (!edit) return null
          const value = typed[column.id] ?? textOf(column)
          const set = (text: string) => setTyped((old) => ({ ...old, [column.id]: text }))
          if (edit.kind === 'flag')
            return (
              <label key={column.id} className={classes.flag}>
                <input
                  type="checkbox"
                  className={classes.check}
                  checked={value === 'true'}
                  onChange={(event) => set(String(event.target.checked))}
                />
                {t(column.header)}
              </label>
            )
          if (edit.kind === 'choice')
            return (
              <ChoiceField
                key={column.id}
                label={t(column.header)}
                choices={[
                  ...(edit.nullable || value === '' ? [{ value: '', label: t('table.none') }] : []),
                  ...(edit.choices?.(row) ?? []),
                ]}
                value={value}
                onChange={(event) => set(event.target.value)}
              />
            )
          return (
            <TextField
              key={column.id}
              label={t(column.header)}
              value={value}
              type={edit.kind === 'date' ? 'date' : 'text'}
              dir={edit.kind === 'text' ? 'auto' : 'ltr'}
              inputMode={edit.kind === 'number' || edit.kind === 'amount' ? 'decimal' : undefined}
              maxLength={edit.maxLength}
              autoComplete="off"
              error={errors[column.id]}
              onChange={(event) => set(event.target.value)}
            />
          )
        })}
      </form>
    </Dialog>
  )
}
