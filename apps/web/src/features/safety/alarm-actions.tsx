import type { SafetyAlarm } from '@hansom/contract/safety'
import { maxSafetyNote } from '@hansom/domain/safety/event'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import classes from './safety-screen.module.css'

/** What an admin does with an alarm: takes charge, adds notes, and closes it with one. */
export function AlarmActions({ alarm: { id, state, acknowledged } }: { alarm: SafetyAlarm }) {
  const { t } = useText()
  const queryClient = useQueryClient()
  const [note, setNote] = useState('')
  const act = useMutation({
    mutationFn: (action: 'acknowledge' | 'note' | 'resolve') =>
      action === 'acknowledge' ? api.safety.acknowledge({ id }) : api.safety[action]({ id, note }),
    onSuccess: (_alarm, action) => {
      if (action !== 'acknowledge') setNote('')
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: orpc.safety.key() }),
  })
  const isOpen = state === 'alarm'
  const isEmpty = note.trim() === ''
  const busy = (action: string) => act.isPending && act.variables === action
  return (
    <div className={classes.actions}>
      {isOpen && acknowledged === null ? (
        <Button variant="danger" busy={busy('acknowledge')} onClick={() => act.mutate('acknowledge')}>
          {t('alarms.acknowledge')}
        </Button>
      ) : null}
      <TextArea
        label={t('alarms.note')}
        hint={isOpen && acknowledged ? t('alarms.close_hint') : undefined}
        rows={2}
        maxLength={maxSafetyNote}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className={classes.buttons}>
        <Button disabled={isEmpty} busy={busy('note')} onClick={() => act.mutate('note')}>
          {t('alarms.add_note')}
        </Button>
        {isOpen && acknowledged ? (
          <Button
            variant="primary"
            disabled={isEmpty}
            busy={busy('resolve')}
            onClick={() => act.mutate('resolve')}
          >
            {t('alarms.close')}
          </Button>
        ) : null}
      </div>
      {act.error ? (
        <p role="alert">
          <ErrorMessage error={act.error} />
        </p>
      ) : null}
    </div>
  )
}
