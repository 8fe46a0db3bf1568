import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { PushNotificationView } from '@hansom/contract/push-notifications'
import {
  type PushNotification,
  pushNotificationLimits,
  pushNotificationProblems,
} from '@hansom/domain/push-notifications/push-notification'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import type { RecordField } from '../../ui/record-field.tsx'
import form from '../../ui/record-form.module.css'
import { putTableRow } from '../../ui/table/table-updates.ts'
import classes from './push-notifications.module.css'

interface Props {
  fields: readonly RecordField<PushNotification>[]
  onClose: () => void
  onCreated: (row: PushNotificationView) => void
}

const blank: PushNotification = { usertype: 'All', devicetype: 'All', title: '', body: '' }

/** A new notification with a preview. It is stored, and the next dialog sends it. */
export function ComposeDialog({ fields, onClose, onCreated }: Props) {
  const { t } = useText()
  return (
    <RecordDialog<PushNotification, PushNotificationView>
      title={t('pushNotifications.add')}
      action={t('pushNotifications.save')}
      width={520}
      command="pushNotifications"
      record={null}
      blank={blank}
      fields={fields}
      check={pushNotificationProblems}
      save={({ draft, options }) => api.pushNotifications.create(draft, options)}
      onClose={onClose}
      onSaved={onCreated}
    >
      {({ field, preview }) => (
        <>
          <div className={form.grid}>
            {field('usertype')}
            {field('devicetype')}
          </div>
          {preview([], (draft) => (
            <Reach {...(draft ?? blank)} />
          ))}
          {field('title')}
          {preview([], (draft) => {
            const { title, body } = draft ?? blank
            const left = pushNotificationLimits.body - body.length
            return (
              <>
                {field('body', t('pushNotifications.left', { count: left }))}
                <Preview title={title} body={body} />
              </>
            )
          })}
        </>
      )}
    </RecordDialog>
  )
}

interface SendProps {
  notification: PushNotificationView
  onClose: () => void
}

/** Shows the recipients before a notification is sent, because sending cannot be undone. */
export function SendDialog({ notification, onClose }: SendProps) {
  const { t } = useText()
  const { id, usertype, devicetype } = notification
  const [key] = useState(newIdempotencyKey)
  const send = useMutation({
    mutationFn: () => api.pushNotifications.send({ id }, { context: { idempotencyKey: key } }),
    onSuccess: (row) => {
      putTableRow('push-notifications', row, (one) => one.id)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('pushNotifications.send_title')}
      footer={
        <DialogButtons>
          <Button onClick={onClose}>{t('pushNotifications.not_now')}</Button>
          <Button variant="primary" busy={send.isPending} onClick={() => send.mutate()}>
            {t('pushNotifications.send')}
          </Button>
        </DialogButtons>
      }
    >
      <div className={form.section}>
        <p>
          {t('pushNotifications.send_text', {
            users: t(`pushNotifications.user_${usertype}`),
            devices: t(`pushNotifications.device_${devicetype}`),
          })}
        </p>
        <Reach usertype={usertype} devicetype={devicetype} />
        <Preview {...notification} />
        {send.isError ? (
          <Notice tone="bad">
            <ErrorMessage error={send.error} />
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}

/** The number of people that a notification reaches, by device and in their list. */
function Reach({ usertype, devicetype }: Pick<PushNotification, 'usertype' | 'devicetype'>) {
  const { t } = useText()
  const query = useQuery({
    ...orpc.pushNotifications.reach.queryOptions({ input: { usertype, devicetype } }),
    placeholderData: keepPreviousData,
  })
  const { people, devices } = query.data ?? { people: 0, devices: 0 }
  if (!query.data) return <p className={classes.quiet}>…</p>
  return (
    <p className={classes.quiet} aria-live="polite">
      {people === 0 ? t('pushNotifications.reach_none') : t('pushNotifications.reach', { count: people })}{' '}
      {people === 0 ? null : t('pushNotifications.reach_devices', { count: devices })}
      {people > devices ? ` ${t('pushNotifications.reach_list', { count: people - devices })}` : null}
    </p>
  )
}

/** A notification roughly as a phone shows it. */
function Preview({ title, body }: Pick<PushNotification, 'title' | 'body'>) {
  const { t } = useText()
  const { appName } = useSettings()
  return (
    <figure className={classes.phone} aria-label={t('pushNotifications.preview')}>
      <span className={classes.app}>{appName}</span>
      <span className={classes.message} dir="auto">
        {title || t('pushNotifications.field_title')}
      </span>
      <span className={classes.text} dir="auto">
        {body || t('pushNotifications.field_body')}
      </span>
    </figure>
  )
}
