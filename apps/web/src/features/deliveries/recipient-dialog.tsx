import type { SavedRecipient } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { recipientProblems } from '@hansom/domain/deliveries/delivery-request'
import { PlaceField } from '../../entities/places/place-field.tsx'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import frame from '../../ui/combobox.module.css'
import { latinDigits } from '../../ui/latin-digits.ts'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { type ControlProps, type RecordField, textField } from '../../ui/record-field.tsx'
import type { RecordChange } from '../../ui/record-form.tsx'

interface RecipientDraft {
  person: string
  phone: string
  email: string
  instructions: string
  place: PlacePoint | null
}
type StoredDraft = RecipientDraft & { id: string }

const blank: RecipientDraft = { person: '', phone: '', email: '', instructions: '', place: null }

const phone = textField('phone', 'delivery.phone', {
  type: 'tel',
  inputMode: 'tel',
  dir: 'ltr',
  maxLength: deliveryLimits.phone,
})
const place: RecordField<RecipientDraft, PlacePoint | null> = {
  id: 'place',
  header: 'parcels.address',
  cell: (record) => <bdi>{record.place?.add}</bdi>,
  start: (record) => record.place,
  read: (point) => ({ place: point }),
  control: (props) => <AddressField {...props} />,
}
const fields: readonly RecordField<RecipientDraft>[] = [
  textField('person', 'delivery.person', { maxLength: deliveryLimits.person }),
  { ...phone, read: (text: string) => ({ phone: latinDigits(text).trim() }) },
  place,
  textField('instructions', 'delivery.instructions', { maxLength: deliveryLimits.instructions }),
  textField('email', 'delivery.email', { type: 'email', dir: 'ltr', maxLength: deliveryLimits.email }),
]

interface Props {
  /** Null adds one. */
  recipient: SavedRecipient | null
  onClose: () => void
  onSaved: (recipient: SavedRecipient) => void
}

/** A recipient of the address book. */
export function RecipientDialog({ recipient, onClose, onSaved }: Props) {
  const { t } = useText()
  const optional = t('parcels.optional')
  return (
    <RecordDialog<RecipientDraft, StoredDraft, SavedRecipient>
      title={recipient ? <bdi>{recipient.person}</bdi> : t('parcels.add_recipient')}
      name={recipient?.person ?? ''}
      action={t('table.save')}
      command={`recipients ${recipient?.id ?? ''}`}
      record={
        recipient && {
          ...recipient,
          email: recipient.email ?? '',
          instructions: recipient.instructions ?? '',
        }
      }
      blank={blank}
      fields={fields}
      check={recipientProblems}
      save={saveRecipient}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ field }) => (
        <>
          {field('person')}
          {field('phone')}
          {field('place')}
          {field('instructions', optional)}
          {field('email', optional)}
        </>
      )}
    </RecordDialog>
  )
}

function AddressField({ value, label, error, onChange }: ControlProps<PlacePoint | null>) {
  const { region } = useSettings()
  return (
    <div className={frame.picker}>
      <PlaceField
        which="drop"
        label={label}
        point={value}
        near={region.center}
        error={error}
        locating={false}
        onChange={onChange}
        onType={() => onChange(null)}
        onChosen={() => undefined}
      />
    </div>
  )
}

function saveRecipient({ draft, record, options }: RecordChange<RecipientDraft, StoredDraft>) {
  const { place: point, ...texts } = draft
  if (!point) throw new Error('the check requires a place')
  const { lat, lng, add } = point
  const input = { ...texts, email: texts.email.trim(), place: { lat, lng, add } }
  return record
    ? api.deliveries.changeRecipient({ ...input, id: record.id }, options)
    : api.deliveries.addRecipient(input, options)
}
