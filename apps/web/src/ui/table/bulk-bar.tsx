import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../announcer.tsx'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { TextField } from '../text-field.tsx'
import classes from './dialogs.module.css'
import type { BulkAction } from './table-types.ts'

const atOnce = 4

interface Props<Row> {
  rows: readonly Row[]
  actions: readonly BulkAction<Row>[]
  onAnswer: (row: Row) => void
  onFailure: (what: string, error: unknown) => void
  /** Called with the rows that failed; they stay selected. */
  onDone: (left: readonly Row[]) => void
}

/** Actions for all selected rows. */
export function BulkBar<Row>({ rows, actions, onAnswer, onFailure, onDone }: Props<Row>) {
  const { t } = useText()
  const [running, setRunning] = useState<{ id: string; done: number } | null>(null)
  const [asked, setAsked] = useState<BulkAction<Row> | null>(null)
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  if (rows.length === 0) return null

  const run = async (action: BulkAction<Row>) => {
    const queue = [...rows]
    const failed: Row[] = []
    let lastError: unknown = null
    setRunning({ id: action.id, done: 0 })
    const worker = async () => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
        try {
          const answer = await action.call(row, reason.trim())
          if (answer) onAnswer(answer)
        } catch (error) {
          failed.push(row)
          lastError = error
        }
        setRunning((old) => (old ? { ...old, done: old.done + 1 } : old))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    setRunning(null)
    announce(t('table.bulk_done', { count: rows.length - failed.length }))
    if (failed.length > 0) onFailure(t('table.bulk_failed', { count: failed.length }), lastError)
    onDone(failed)
  }

  const ask = (action: BulkAction<Row>) => {
    setReason('')
    setMissing(false)
    setAsked(action)
  }
  const confirm = () => {
    if (asked?.reason && reason.trim() === '') return setMissing(true)
    setAsked(null)
    if (asked) void run(asked)
  }

  return (
    <section className={classes.bulk} aria-label={t('table.bulk')}>
      <span className={classes.bulkCount}>
        {running
          ? t('table.bulk_running', { done: running.done, count: rows.length })
          : t('table.chosen', { count: rows.length })}
      </span>
      {actions.map((action) => (
        <Button
          key={action.id}
          size="small"
          variant={action.danger ? 'danger' : 'secondary'}
          busy={running?.id === action.id}
          disabled={running !== null && running.id !== action.id}
          onClick={() => (action.danger ? ask(action) : void run(action))}
        >
          {action.icon}
          {action.label}
        </Button>
      ))}
      <Button
        size="small"
        variant="quiet"
        className={classes.bulkNone}
        disabled={running !== null}
        onClick={() => onDone([])}
      >
        {t('table.choose_none')}
      </Button>
      <Dialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        role="alertdialog"
        title={asked?.label ?? ''}
        hideClose
        footer={
          <DialogButtons onCancel={() => setAsked(null)}>
            <Button variant="danger" onClick={confirm}>
              {asked?.label}
            </Button>
          </DialogButtons>
        }
      >
        <p>{t('table.bulk_sure', { count: rows.length })}</p>
        {asked?.reason ? (
          <div className={classes.bulkReason}>
            <TextField
              label={asked.reason}
              dir="auto"
              maxLength={300}
              autoComplete="off"
              value={reason}
              error={isMissing && reason.trim() === '' ? t('error.field_required') : undefined}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
        ) : null}
      </Dialog>
    </section>
  )
}
