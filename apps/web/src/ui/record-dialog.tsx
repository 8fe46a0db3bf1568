import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'
import { LeaveDialog, LeaveGuard } from './leave-guard.tsx'
import classes from './record-form.module.css'
import { type RecordForm, type RecordFormOptions, useRecordForm } from './record-form.tsx'

interface Props<Fields extends object, Row extends Fields, Answer>
  extends Omit<RecordFormOptions<Fields, Row, Answer>, 'onUnchanged'> {
  title: ReactNode
  /** Label of the submit button. */
  action: string
  danger?: boolean
  /** Maximum width, px. */
  width?: number
  onClose: () => void
  /** Arranges the fields; without it they follow each other. */
  children?: (form: RecordForm<Fields>) => ReactNode
}

/** Adds or changes a record in a dialog, which asks before it discards typed text. */
export function RecordDialog<Fields extends object, Row extends Fields, Answer = Row>(
  props: Props<Fields, Row, Answer>,
) {
  const { title, action, danger, width, onClose, children, ...options } = props
  const formId = useId()
  const [isLeaving, setLeaving] = useState(false)
  const form = useRecordForm<Fields, Row, Answer>({ ...options, onUnchanged: onClose })
  const close = () => (form.isDirty() && !form.busy ? setLeaving(true) : onClose())

  return (
    <Dialog
      open
      onClose={close}
      width={width}
      title={title}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={formId} variant={danger ? 'danger' : 'primary'} busy={form.busy}>
            {action}
          </Button>
        </DialogButtons>
      }
    >
      <form id={formId} className={classes.form} {...form.element}>
        {form.notice}
        {children ? children(form) : options.fields.map(({ id }) => form.field(id))}
      </form>
      {form.whenDirty((isDirty) => (
        <LeaveGuard active={isDirty && !form.busy} />
      ))}
      <LeaveDialog open={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
    </Dialog>
  )
}
