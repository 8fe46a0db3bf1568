import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { textField } from '../../ui/record-field.tsx'
import type { RecordFormOptions } from '../../ui/record-form.tsx'
import classes from './wallet.module.css'

interface Reason {
  reason: string
}
type Save = Parameters<RecordFormOptions<Reason, Reason, unknown>['save']>[0]

const reasonField = textField('reason', 'wallet.reverse_reason', { maxLength: 200 })

/** An entry of the books that an admin made: `amount` in 10^-4 of the currency unit. */
interface Entry {
  id: string
  name: string
  amount: number
  reversed_at: number | null
}

interface ListProps<E extends Entry> {
  query: Pick<
    UseInfiniteQueryResult<unknown, Error>,
    'isPending' | 'isError' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >
  /** Undefined until loaded. */
  entries: readonly E[] | undefined
  none: string
  /** Shown below an entry's name. */
  details: (entry: E) => ReactNode
  /** Why an entry was reversed. */
  reasonOf: (entry: E) => string | null
  isClosed: boolean
  dialog: (entry: E) => Pick<DialogProps, 'title' | 'text' | 'command' | 'save'>
  onReversed: () => void
}

/** Entries, newest first, each of which can be reversed once. */
export function ReversibleList<E extends Entry>(props: ListProps<E>) {
  const { query, entries, none, details, reasonOf, isClosed, dialog, onReversed } = props
  const { t } = useText()
  const [reversing, setReversing] = useState<E | null>(null)
  return (
    <>
      {query.isPending ? <LoadingState rows={2} height="56px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {entries?.length === 0 ? <p className={classes.intro}>{none}</p> : null}
      {entries?.length ? (
        <ul className={classes.list}>
          {entries.map((entry) => (
            <li key={entry.id} className={classes.item}>
              <div className={classes.words}>
                <span className={classes.what}>
                  <bdi>{entry.name}</bdi>
                </span>
                {details(entry)}
                {entry.reversed_at === null ? null : (
                  <span className={classes.when}>
                    {t('wallet.reversed', { reason: isolated(reasonOf(entry) ?? '') })}
                  </span>
                )}
              </div>
              <div className={classes.figures}>
                <Money amount={entry.amount} />
                {entry.reversed_at === null ? (
                  <Button className={classes.process} disabled={isClosed} onClick={() => setReversing(entry)}>
                    {t('wallet.reverse')}
                  </Button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('wallet.more')}
        </Button>
      ) : null}
      {reversing ? (
        <ReverseDialog {...dialog(reversing)} onClose={() => setReversing(null)} onReversed={onReversed} />
      ) : null}
    </>
  )
}

interface DialogProps {
  title: string
  text: string
  /** Name of the command, with the id of its subject. */
  command: string
  save: (reason: string, options: Save['options']) => Promise<unknown>
  onClose: () => void
  onReversed: () => void
}

/** Reverses a mistaken entry; asks for a reason. */
function ReverseDialog({ title, text, command, save, onClose, onReversed }: DialogProps) {
  const { t } = useText()
  return (
    <RecordDialog<Reason, Reason, unknown>
      title={title}
      action={t('wallet.reverse')}
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
