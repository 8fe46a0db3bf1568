import type { BookingView } from '@hansom/contract/bookings'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { mayCorrectRecipient } from '@hansom/domain/deliveries/correct-recipient'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { recipientProblems } from '@hansom/domain/deliveries/delivery-request'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeBooking } from '../../../lib/live.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { RecordDialog } from '../../../ui/record-dialog.tsx'
import { type RecordField, textField } from '../../../ui/record-field.tsx'
import { TextArea } from '../../../ui/text-field.tsx'

type Stop = NonNullable<BookingView['delivery']>['stops'][number]

interface RecipientDraft {
  person: string
  phone: string
  email: string
  instructions: string
}

const instructions: RecordField<RecipientDraft, string> = {
  ...textField('instructions', 'delivery.instructions'),
  control: ({ onChange, errorOf: _errorOf, ...field }) => (
    <TextArea
      dir="auto"
      rows={3}
      maxLength={deliveryLimits.instructions}
      {...field}
      onChange={(event) => onChange(event.target.value)}
    />
  ),
}
const fields = [
  textField('person', 'delivery.person', { maxLength: deliveryLimits.person }),
  textField('phone', 'delivery.phone', {
    type: 'tel',
    inputMode: 'tel',
    dir: 'ltr',
    maxLength: deliveryLimits.phone,
  }),
  textField('email', 'delivery.email', { type: 'email', dir: 'ltr', maxLength: deliveryLimits.email }),
  instructions,
] as RecordField<RecipientDraft>[]

/** Edits the recipient of an open stop: the sender and admins. */
export function CorrectRecipient({ view, stop }: { view: BookingView; stop: Stop }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const isPayer = view.viewer === 'rider' || view.viewer === 'admin'
  // A demo that hides contacts from admins does not let them change any.
  if (!isPayer || stop.phone === hiddenForDemo || !mayCorrectRecipient(view.status, stop)) return null
  const isOnly = (view.delivery?.stops.filter(({ kind }) => kind === 'drop').length ?? 1) === 1
  const title = isOnly ? t('delivery.correct') : t('delivery.correct_of', { number: stop.n })
  return (
    <>
      <Button size="small" aria-label={title} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('delivery.correct')}
      </Button>
      {open ? <CorrectDialog id={view.id} stop={stop} title={title} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function CorrectDialog({
  id,
  stop,
  title,
  onClose,
}: {
  id: string
  stop: Stop
  title: string
  onClose: () => void
}) {
  const { t } = useText()
  const [record] = useState<RecipientDraft>(() => ({
    person: stop.person ?? '',
    phone: stop.phone ?? '',
    email: stop.email ?? '',
    instructions: stop.instructions ?? '',
  }))
  return (
    <RecordDialog<RecipientDraft, RecipientDraft, BookingView>
      title={title}
      action={t('trip.edit_confirm')}
      command={`tripLinks.correct ${id} ${stop.n}`}
      record={record}
      blank={record}
      fields={fields}
      check={(draft) => recipientProblems({ ...draft, place: stop.place })}
      save={({ draft, options }) => {
        const { instructions: text, ...contact } = trimmed(draft)
        // Sent only if changed here: the recipient may have changed them meanwhile.
        const changed = text === record.instructions ? {} : { instructions: text }
        return api.tripLinks.correct({ id, stop: stop.n, ...contact, ...changed }, options)
      }}
      onClose={onClose}
      onSaved={(view) => {
        storeBooking(view)
        announce(t('delivery.corrected'))
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <p>{t('delivery.correct_text')}</p>
          {field('person')}
          {field('phone')}
          {field('email', t('delivery.email_hint'))}
          {field('instructions')}
        </>
      )}
    </RecordDialog>
  )
}

const trimmed = ({ person, phone, email, instructions: text }: RecipientDraft): RecipientDraft => ({
  person: person.trim(),
  phone: phone.trim(),
  email: email.trim(),
  instructions: text.trim(),
})
