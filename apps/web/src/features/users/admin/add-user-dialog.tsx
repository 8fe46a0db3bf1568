import { ApiError } from '@hansom/client/api-error'
import type { CallContext } from '@hansom/client/rest-link'
import type { NewUser, UserView } from '@hansom/contract/users'
import type { FieldError } from '@hansom/domain/error-keys'
import { isEmail, toE164 } from '@hansom/domain/users/contact'
import { type UserTextField, userTextFields } from '@hansom/domain/users/field-views'
import { type UserFieldGroup, userFields } from '@hansom/domain/users/fields'
import type { Role } from '@hansom/domain/users/roles'
import { useCarTypeChoices } from '../../../entities/car-types/car-type-name.tsx'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { PhoneField, type PhoneValue, phoneParts } from '../../../ui/phone-field.tsx'
import { RecordDialog } from '../../../ui/record-dialog.tsx'
import { fieldOf, type RecordField, textField } from '../../../ui/record-field.tsx'
import form from '../../../ui/record-form.module.css'
import { MissingFields } from './user-dialogs.tsx'
import { userHints } from './users-columns.tsx'

/** Texts of the tables of users, one per user type. */
export const userKinds = {
  rider: { title: 'users.riders', add: 'users.add_rider', empty: 'users.no_riders' },
  driver: { title: 'users.drivers', add: 'users.add_driver', empty: 'users.no_drivers' },
  fleetadmin: { title: 'users.fleetadmins', add: 'users.add_fleetadmin', empty: 'users.no_fleetadmins' },
  admin: { title: 'users.admins', add: 'users.add_admin', empty: 'users.no_admins' },
} as const satisfies Record<Role, { title: string; add: string; empty: string }>

const ownNames = userTextFields('name')
const vehicleNames = userTextFields('vehicle')
const bankNames = userTextFields('bank')
type TextName = UserTextField<UserFieldGroup>

type Draft = Record<TextName, string> & { email: string; car_type_id: string | null; mobile: PhoneValue }

interface Props {
  usertype: Role
  role: Role
  onClose: () => void
  onCreated: (user: UserView) => void
}

/** Adds a user, who sets a password through the link in an invitation. */
export function AddUserDialog({ usertype, role, onClose, onCreated }: Props) {
  const { t } = useText()
  const { country, bank_fields } = useSettings()
  const isDriver = usertype === 'driver'
  const asksBank = bank_fields && role === 'admin' && (isDriver || usertype === 'rider')
  const carTypes = useCarTypeChoices()
  const asked = [...ownNames, ...(isDriver ? vehicleNames : []), ...(asksBank ? bankNames : [])]
  const fields: RecordField<Draft>[] = [
    ...asked.map(userText),
    textField('email', 'users.email', { type: 'email', dir: 'ltr' }),
    phoneField,
    fieldOf<Draft>({
      id: 'car_type_id',
      header: 'users.carType',
      cell: (draft) => draft.car_type_id,
      edit: {
        kind: 'choice',
        value: (draft) => draft.car_type_id,
        changes: (value) => ({ car_type_id: value === null ? null : String(value) }),
        choices: () => carTypes,
        nullable: true,
      },
    }),
  ]
  const blank: Draft = {
    ...(Object.fromEntries([...ownNames, ...vehicleNames, ...bankNames].map((name) => [name, ''])) as Record<
      TextName,
      string
    >),
    email: '',
    car_type_id: null,
    mobile: { country, mobile: '' },
  }
  return (
    <RecordDialog<Draft, Draft, UserView>
      title={t(userKinds[usertype].add)}
      action={t('users.add')}
      width={640}
      command={`users.create ${usertype}`}
      record={null}
      blank={blank}
      fields={fields}
      check={problemsOf}
      save={({ draft, options }) => createUser(draft, usertype, options)}
      onClose={onClose}
      onSaved={onCreated}
    >
      {({ field, preview }) => (
        <>
          <div className={form.pair}>{ownNames.map((name) => field(name))}</div>
          {field('email', t('users.invitation_hint'))}
          {field('mobile')}
          {isDriver ? (
            <fieldset className={form.section}>
              <legend>{t('users.vehicle')}</legend>
              <div className={form.pair}>
                {field('car_type_id')}
                {vehicleNames.map((name) => field(name))}
              </div>
              {preview([], (draft) =>
                draft ? (
                  <MissingFields
                    text="users.add_missing"
                    user={{ ...draft, carType: draft.car_type_id, licenseImage: null }}
                  />
                ) : null,
              )}
            </fieldset>
          ) : null}
          {asksBank ? (
            <fieldset className={form.section}>
              <legend>{t('users.bank')}</legend>
              {bankNames.map((name) => field(name))}
            </fieldset>
          ) : null}
        </>
      )}
    </RecordDialog>
  )
}

const userText = (name: TextName) => ({
  ...textField(name, `users.${name}`, { dir: userFields[name].kind === 'text' ? 'auto' : 'ltr' }),
  hint: userHints[name],
})

const phoneField: RecordField<Draft, PhoneValue> = {
  id: 'mobile',
  header: 'users.mobile',
  cell: ({ mobile }) => mobile.mobile,
  start: ({ mobile }) => mobile,
  read: (mobile) => ({ mobile }),
  control: ({ value, onChange, error }) => <PhoneField value={value} onChange={onChange} error={error} />,
}

function problemsOf(draft: Draft): FieldError[] {
  const { phoneCode, mobile } = phoneParts(draft.mobile)
  return [
    ...ownNames
      .filter((name) => !('nullable' in userFields[name]) && draft[name].trim() === '')
      .map((field) => ({ field, error: 'proper_input_name' as const })),
    ...(isEmail(draft.email.trim()) ? [] : [{ field: 'email', error: 'proper_email' as const }]),
    ...(mobile && toE164(phoneCode, mobile) === null
      ? [{ field: 'mobile', error: 'mobile_no_blank_error' as const }]
      : []),
  ]
}

/** Sends the fields that are not empty. A clash without a field is reported for the email. */
async function createUser(draft: Draft, usertype: Role, options: { context: CallContext }) {
  const { mobile: phone, ...texts } = draft
  const { phoneCode, mobile } = phoneParts(phone)
  const full = mobile ? toE164(phoneCode, mobile) : null
  const given = Object.entries(texts).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : []))
  const entered = Object.fromEntries(given) as Omit<NewUser, 'usertype'>
  try {
    return await api.users.create({ ...entered, usertype, ...(full ? { mobile: full } : {}) }, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.key !== 'user_exists' || error.fields.length > 0) throw error
    throw new ApiError('user_exists', error.status, { fields: [{ field: 'email', error: 'user_exists' }] })
  }
}
