import { useText } from '../../lib/i18n.ts'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { textField } from '../../ui/record-field.tsx'
import type { RecordFormOptions } from '../../ui/record-form.tsx'
import classes from './wallet.module.css'

interface Reason {
  reason: string
}
type Save = Parameters<RecordFormOptions<Reason, Reason, unknown>['save']>[0]

const reasonField = textField('reason', 'wallet.refuse_reason', { maxLength: 200 })

interface Props {
  title: string
  text: string
  /** Name of the command, with the id of its subject. */
  command: string
  save: (reason: string, options: Save['options']) => Promise<unknown>
  onClose: () => void
  onReversed: () => void
}

/** Reverses a mistaken entry; asks for a reason. */
export function ReverseDialog({ title, text, command, save, onClose, onReversed }: Props) {
  const { t } = useText()
  return (
    <RecordDialog<Reason, Reason, unknown>
      title={title}
      action={t('wallet.cash_reverse')}
      danger
      command={command}
      record={null}
      blank={{ reason: '' }}
      fields={[reasonField]}
      check={({ reason }) => (reason.trim() === '' ? [{ field: 'reason', error: 'required' }] : [])}
      save={({ draft, options }) => save(draft.reason.trim(), options)}
      onClose={onClose}
      onSaved={() => {
        onReversed()
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <p className={classes.lead}>{text}</p>
          {field('reason')}
        </>
      )}
    </RecordDialog>
  )
}
