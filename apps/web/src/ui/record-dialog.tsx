import { type ReactNode, useId, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'
import { LeaveDialog, LeaveGuard } from './leave-guard.tsx'
import classes from './record-form.module.css'
import {
  type RecordForm,
  type RecordFormOptions,
  type RecordQuestion,
  useRecordForm,
} from './record-form.tsx'

interface Props<Fields extends object, Row extends Fields, Answer>
  extends Omit<RecordFormOptions<Fields, Row, Answer>, 'onUnchanged' | 'ask'> {
  title: ReactNode
  /** The record's name in the questions of its fields. */
  name?: string
  /** Label of the submit button. */
  action: string
  danger?: boolean
  /** Maximum width, px. */
  width?: number
  onClose: () => void
  /** Arranges the fields; without it they follow each other. */
  children?: (form: RecordForm<Fields>) => ReactNode
}

interface Asking<Fields> {
  questions: readonly RecordQuestion<Fields>[]
  answer: (confirmed: boolean) => void
}

/** Adds or changes a record in a dialog, which asks before it discards typed text or makes changes with consequences. */
export function RecordDialog<Fields extends object, Row extends Fields, Answer = Row>(
  props: Props<Fields, Row, Answer>,
) {
  const { title, name = '', action, danger, width, onClose, children, ...options } = props
  const formId = useId()
  const [isLeaving, setLeaving] = useState(false)
  const [asking, setAsking] = useState<Asking<Fields> | null>(null)
  const form = useRecordForm<Fields, Row, Answer>({
    ...options,
    onUnchanged: onClose,
    ask: (questions) => new Promise((answer) => setAsking({ questions, answer })),
  })
  const answer = (confirmed: boolean) => {
    setAsking(null)
    asking?.answer(confirmed)
  }
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
      {asking ? (
        <QuestionDialog title={title} name={name} questions={asking.questions} onAnswer={answer} />
      ) : null}
    </Dialog>
  )
}

interface QuestionProps<Fields> {
  title: ReactNode
  name: string
  questions: readonly RecordQuestion<Fields>[]
  onAnswer: (confirmed: boolean) => void
}

/** Asks before changes with consequences: one question for each field, with its old and new value. Starts at Cancel. */
function QuestionDialog<Fields>({ title, name, questions, onAnswer }: QuestionProps<Fields>) {
  const { t } = useText()
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      role="alertdialog"
      title={title}
      hideClose
      footer={
        <DialogButtons onCancel={() => onAnswer(false)}>
          <Button variant="primary" onClick={() => onAnswer(true)}>
            {t('table.confirm')}
          </Button>
        </DialogButtons>
      }
    >
      <div className={classes.questions}>
        {questions.map(({ field, text, record, draft }) => (
          <div key={field.id}>
            <p>
              {t(text.key, {
                ...text.params,
                name,
                field: t(field.header),
                value: t(text.isOn ? 'table.on' : 'table.off'),
              })}
            </p>
            {text.isOn === null ? (
              <p className={classes.change}>
                <del>{field.cell(record)}</del> <ins>{field.cell(draft)}</ins>
              </p>
            ) : null}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
