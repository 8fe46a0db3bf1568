import type { PushNotificationView } from '@hansom/contract/push-notifications'
import {
  type PushNotification,
  pushDeviceTypes,
  pushNotificationLimits,
  pushNotificationProblems,
  pushUserTypes,
} from '@hansom/domain/push-notifications/push-notification'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { fieldProblem, ProblemSummary, type Problems, refusedFields } from '../../ui/problem-summary.tsx'
import form from '../../ui/record-form.module.css'
import fieldClasses from '../../ui/text-field.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { Preview } from './preview.tsx'
import classes from './push-notifications.module.css'

interface Props {
  onClose: () => void
  onCreated: (row: PushNotificationView) => void
}

const blank: PushNotification = { usertype: 'All', devicetype: 'All', title: '', body: '' }

/** A new notification, with what a phone will show of it. It is kept; sending is a step of its own. */
export function ComposeDialog({ onClose, onCreated }: Props) {
  const { t } = useText()
  const id = useId()
  const [values, setValues] = useState(blank)
  const [problems, setProblems] = useState<Problems>({})
  const [message, setMessage] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [busy, setBusy] = useState(false)
  const set = (changes: Partial<PushNotification>) => setValues({ ...values, ...changes })
  const refuse = (found: Problems, whole: string | null) => {
    setProblems(found)
    setMessage(whole)
    setTurn(turn + 1)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = pushNotificationProblems(values)
    if (found.length > 0) {
      const texts = found.map(({ field, error }) => [field, fieldProblem(error, t)] as const)
      return refuse(Object.fromEntries(texts), null)
    }
    setBusy(true)
    try {
      onCreated(await api.pushNotifications.create(values))
      onClose()
    } catch (error) {
      refuse(refusedFields(error, t), errorText(error, t))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('pushNotifications.add')}
      width={520}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={id} variant="primary" busy={busy}>
            {t('pushNotifications.save')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={id} className={form.form} noValidate onSubmit={(event) => void submit(event)}>
        <ProblemSummary
          problems={problems}
          message={message}
          labels={{ title: t('pushNotifications.field_title'), body: t('pushNotifications.field_body') }}
          attempt={turn}
        />
        <div className={form.grid}>
          <ChoiceField
            label={t('pushNotifications.field_usertype')}
            value={values.usertype}
            choices={pushUserTypes.map((value) => ({ value, label: t(`pushNotifications.user_${value}`) }))}
            onChange={(event) => set({ usertype: event.target.value as PushNotification['usertype'] })}
          />
          <ChoiceField
            label={t('pushNotifications.field_devicetype')}
            value={values.devicetype}
            choices={pushDeviceTypes.map((value) => ({
              value,
              label: t(`pushNotifications.device_${value}`),
            }))}
            onChange={(event) => set({ devicetype: event.target.value as PushNotification['devicetype'] })}
          />
        </div>
        <TextField
          label={t('pushNotifications.field_title')}
          name="title"
          dir="auto"
          autoComplete="off"
          maxLength={pushNotificationLimits.title}
          value={values.title}
          error={problems.title}
          onChange={(event) => set({ title: event.target.value })}
        />
        <div className={fieldClasses.field}>
          <label className={fieldClasses.label} htmlFor={`${id}-body`}>
            {t('pushNotifications.field_body')}
          </label>
          <textarea
            id={`${id}-body`}
            name="body"
            dir="auto"
            className={`${fieldClasses.input} ${classes.area}`}
            maxLength={pushNotificationLimits.body}
            value={values.body}
            aria-invalid={problems.body ? true : undefined}
            aria-describedby={problems.body ? `${id}-body-error` : `${id}-left`}
            onChange={(event) => set({ body: event.target.value })}
          />
          {problems.body ? (
            <span id={`${id}-body-error`} className={fieldClasses.error} role="alert">
              {problems.body}
            </span>
          ) : (
            <span id={`${id}-left`} className={fieldClasses.hint}>
              {t('pushNotifications.left', { count: pushNotificationLimits.body - values.body.length })}
            </span>
          )}
        </div>
        <Preview {...values} />
      </form>
    </Dialog>
  )
}
