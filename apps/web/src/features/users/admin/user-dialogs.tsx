import { ApiError } from '@hansom/client/api-error'
import type { UserView } from '@hansom/contract/users'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { isEmail } from '@hansom/domain/users/contact'
import { type DriverField, driverFields } from '@hansom/domain/users/field-views'
import { type Role, roles } from '@hansom/domain/users/roles'
import { IconId } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { UserName, UserPicker } from '../../../entities/users/user-picker.tsx'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { pictureProblem, pictureTypes, uploadPicture } from '../../../lib/upload.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RecordDialog } from '../../../ui/record-dialog.tsx'
import { type RecordField, textField } from '../../../ui/record-field.tsx'
import { userName } from './user-mark.tsx'
import classes from './users.module.css'

type Fleet = Pick<UserView, 'fleetadmin'>

interface Props {
  user: UserView
  onClose: () => void
  onSaved: (user: UserView) => void
}

/** Assigns a driver to a fleet, or removes them from theirs. */
export function FleetDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  const fleet: RecordField<Fleet, string | undefined> = {
    id: 'fleetadmin',
    header: 'users.fleetadmin',
    cell: ({ fleetadmin }) => (fleetadmin === null ? t('table.none') : <UserName id={fleetadmin} />),
    start: ({ fleetadmin }) => fleetadmin ?? undefined,
    read: (value) => ({ fleetadmin: value ?? null }),
    control: ({ label, value, onChange }) => (
      <div className={classes.fleetForm}>
        <UserPicker label={label} usertype="fleetadmin" value={value} onChange={onChange} />
        {value === undefined ? null : (
          <Button size="small" onClick={() => onChange(undefined)}>
            {t('users.fleet_none')}
          </Button>
        )}
      </div>
    ),
  }
  return (
    <RecordDialog<Fleet, UserView>
      title={t('users.fleet_of', { name: userName(user) })}
      action={t('users.fleet_save')}
      command={`users.assign_fleet ${user.uid}`}
      record={user}
      blank={user}
      fields={[fleet]}
      check={() => []}
      save={({ draft, record, options }) =>
        api.users.assign_fleet(
          { id: user.uid, fleetadmin: draft.fleetadmin, version: (record ?? user).version },
          options,
        )
      }
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

/** Approves a user, who is told; names what a driver still lacks. */
export function ApproveDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  return (
    <RecordDialog<object, UserView>
      title={t('users.approve_title', { name: isolated(userName(user)) })}
      action={t('users.approve')}
      command={`users.approve ${user.uid}`}
      record={null}
      blank={{}}
      fields={[]}
      check={() => []}
      save={({ record, options }) =>
        api.users.approve({ id: user.uid, version: (record ?? user).version }, options)
      }
      onClose={onClose}
      onSaved={onSaved}
    >
      {() => (
        <>
          <p>{t('users.confirm_approve', { name: isolated(userName(user)) })}</p>
          {user.usertype === 'driver' ? <MissingFields text="users.approve_missing" user={user} /> : null}
        </>
      )}
    </RecordDialog>
  )
}

interface MissingProps {
  /** What follows from missing fields. */
  text: TextKey
  user: Partial<Record<DriverField, string | null>>
}

/** Names what a driver still lacks. */
export function MissingFields({ text, user }: MissingProps) {
  const { t } = useText()
  const missing = driverFields.filter((field) => !user[field])
  if (missing.length === 0) return null
  return (
    <Notice tone="attention">
      <p>{t(text)}</p>
      <ul className={classes.missing}>
        {missing.map((field) => (
          <li key={field}>{t(field === 'licenseImage' ? 'users.licence' : `users.${field}`)}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** Rejects a user, or revokes their approval, with a reason that they are told. */
export function RejectDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  const command = user.approved ? 'disapprove' : 'reject'
  return (
    <RecordDialog<{ reason: string }, { reason: string } & Partial<UserView>, UserView>
      title={t(`users.${command}_title`, { name: isolated(userName(user)) })}
      action={t(`users.${command}`)}
      danger
      command={`users.disapprove ${user.uid}`}
      record={null}
      blank={{ reason: '' }}
      fields={[rejectionField]}
      check={({ reason }) => (reason.trim() === '' ? [{ field: 'reason', error: 'required' }] : [])}
      save={({ draft, record, options }) =>
        api.users.disapprove(
          { id: user.uid, reason: draft.reason.trim(), version: record?.version ?? user.version },
          options,
        )
      }
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ field }) => (
        <>
          <p>{t(`users.confirm_${command}`, { name: isolated(userName(user)) })}</p>
          {field('reason')}
        </>
      )}
    </RecordDialog>
  )
}

const rejectionField = {
  ...textField('reason', 'users.reject_reason', { maxLength: 300 }),
  hint: 'users.reject_reason_hint',
}

/** Changes the user type; shows the permissions of each. Takes effect immediately. */
export function TypeDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  const usertype: RecordField<{ usertype: Role }, Role> = {
    id: 'usertype',
    header: 'users.type_effect',
    cell: (record) => t(`users.type_${record.usertype}`),
    start: (record) => record.usertype,
    read: (value) => ({ usertype: value }),
    control: ({ name, label, value, onChange }) => (
      <fieldset className={classes.types}>
        <legend className={classes.typesLegend}>{label}</legend>
        {roles.map((role) => (
          <label key={role} className={classes.type}>
            <input type="radio" name={name} checked={value === role} onChange={() => onChange(role)} />
            <span>
              {t(`users.type_${role}`)}
              <small>{t(`users.may_${role}`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
    ),
  }
  return (
    <RecordDialog<{ usertype: Role }, UserView>
      title={t('users.type_of', { name: userName(user) })}
      action={t('users.type_save')}
      command={`users.change_type ${user.uid}`}
      record={user}
      blank={user}
      fields={[usertype]}
      check={() => []}
      save={({ draft, record, options }) =>
        api.users.change_type(
          { id: user.uid, usertype: draft.usertype, version: (record ?? user).version },
          options,
        )
      }
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

interface LicenceProps {
  user: UserView
  onOpen: (user: UserView) => void
}

/** Opens a driver's licence. */
export function LicenceButton({ user, onOpen }: LicenceProps) {
  const { t } = useText()
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.licence}
      aria-haspopup="dialog"
      aria-label={t(user.licenseImage ? 'users.licence_show_of' : 'users.licence_add_of', {
        name: userName(user),
      })}
      onClick={() => onOpen(user)}
    >
      <IconId size={18} aria-hidden />
      {t(user.licenseImage ? 'users.licence_show' : 'users.licence_add')}
    </button>
  )
}

/** A driver's licence in full size, with its upload for those who may change the driver. */
export function LicenceDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  const id = useId()
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const problem = pictureProblem(file)
      if (problem) throw new ApiError(problem, 400)
      const url = `/api/v1/users/${user.uid}/licence?version=${user.version}`
      return (await uploadPicture('PUT', url, file, () => {})) as UserView
    },
    onSuccess: (saved) => {
      announce(t('users.licence_saved'))
      onSaved(saved)
    },
  })
  const title = t('users.licence_of', { name: userName(user) })
  return (
    <Dialog open onClose={onClose} title={title} width={820}>
      <div className={classes.licenceForm}>
        {user.licenseImage ? (
          <img src={user.licenseImage} alt={title} className={classes.licencePicture} />
        ) : (
          <p>{t('users.licence_none')}</p>
        )}
        {user.commands.includes('update') ? (
          <div>
            <input
              id={id}
              className={classes.file}
              type="file"
              accept={pictureTypes.join(',')}
              disabled={upload.isPending}
              onChange={({ target }) => {
                const file = target.files?.[0]
                if (file) upload.mutate(file)
                target.value = ''
              }}
            />
            <label
              htmlFor={id}
              className={buttonClass({ variant: user.licenseImage ? 'secondary' : 'primary' })}
            >
              {t(user.licenseImage ? 'users.licence_replace' : 'users.licence_add')}
            </label>
            <p className={classes.licenceHint}>
              {upload.isPending ? t('register.uploading') : t('register.licence_hint')}
            </p>
          </div>
        ) : null}
        {upload.isError ? (
          <Notice tone="bad">
            <ErrorMessage error={upload.error} />
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}

interface Contacts {
  email: string
  mobile: string
}

/** Corrects an email address or phone number; what follows is stated. */
export function ContactDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  return (
    <RecordDialog<Contacts, UserView & Contacts, UserView>
      title={t('users.contact_of', { name: isolated(userName(user)) })}
      action={t('users.contact_save')}
      command={`users.correct_contact ${user.uid}`}
      record={{ ...user, email: user.email ?? '', mobile: user.mobile ?? '' }}
      blank={{ email: '', mobile: '' }}
      fields={contactFields}
      check={({ email }) =>
        user.guest || isEmail(email.trim()) ? [] : [{ field: 'email', error: 'proper_email' }]
      }
      save={({ draft, record, options }) => {
        const email = draft.email.trim()
        const mobile = draft.mobile.trim()
        return api.users.correct_contact(
          {
            id: user.uid,
            version: (record ?? user).version,
            ...(email === (user.email ?? '') ? {} : { email }),
            ...(mobile === (user.mobile ?? '') ? {} : { mobile: mobile || null }),
          },
          options,
        )
      }}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ field }) => (
        <>
          {user.guest ? null : <p>{t('users.contact_effect')}</p>}
          {user.guest ? null : field('email')}
          {field('mobile', t('users.contact_mobile_hint'))}
        </>
      )}
    </RecordDialog>
  )
}

const contactFields = [
  textField('email', 'users.email', { type: 'email', dir: 'ltr', maxLength: 254 }),
  textField('mobile', 'users.mobile', { type: 'tel', dir: 'ltr', maxLength: 30 }),
]
