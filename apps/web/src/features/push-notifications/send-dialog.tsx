import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, newIdempotencyKey } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import form from '../../ui/record-form.module.css'
import { putTableRow } from '../../ui/table/row-cache.ts'
import { Preview } from './preview.tsx'

/** Says to whom it goes before it goes: what was sent cannot be called back. */
export function SendDialog({
  notification,
  onClose,
}: {
  notification: PushNotificationView
  onClose: () => void
}) {
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
        <DialogButtons onCancel={onClose}>
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
