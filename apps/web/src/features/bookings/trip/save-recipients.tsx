import type { BookingView } from '@hansom/contract/bookings'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { useSubmit } from '../../../ui/use-submit.tsx'

type Stop = NonNullable<BookingView['delivery']>['stops'][number]

/** Saves the recipients of a finished delivery in the sender's address book. Those saved before stay as they are. */
export function SaveRecipients({ stops }: { stops: readonly Stop[] }) {
  const { t } = useText()
  const [isSaved, setSaved] = useState(false)
  const saving = useSubmit(() => setSaved(true))
  const recipients = stops.flatMap(({ kind, person, phone, email, instructions, place }) =>
    kind === 'drop' && person && phone ? [{ person, phone, email, instructions, place }] : [],
  )
  if (recipients.length === 0) return null
  const save = async () => {
    for (const recipient of recipients) await api.deliveries.addRecipient(recipient)
  }
  return (
    <>
      {saving.failure}
      <output>{isSaved ? t('delivery.recipients_saved') : null}</output>
      {isSaved ? null : (
        <Button size="small" busy={saving.busy} onClick={() => saving.send(save)}>
          {t('delivery.save_recipients')}
        </Button>
      )}
    </>
  )
}
