import type { UserView } from '@hansom/contract/users'
import { driverFields } from '@hansom/domain/users/field-views'
import { type Role, roles } from '@hansom/domain/users/roles'
import { IconId } from '@tabler/icons-react'
import { UserName, UserPicker } from '../../../entities/users/user-picker.tsx'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
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
  const missing = user.usertype === 'driver' ? driverFields.filter((field) => !user[field]) : []
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
          {missing.length === 0 ? null : (
            <Notice tone="attention">
              <p>{t('users.approve_missing')}</p>
              <ul className={classes.missing}>
                {missing.map((field) => (
                  <li key={field}>{t(field === 'licenseImage' ? 'users.licence' : `users.${field}`)}</li>
                ))}
              </ul>
            </Notice>
          )}
        </>
      )}
    </RecordDialog>
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

/** Opens the picture of a driver's licence. */
export function LicenceButton({ user, onOpen }: LicenceProps) {
  const { t } = useText()
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.licence}
      aria-haspopup="dialog"
      aria-label={t('users.licence_of', { name: userName(user) })}
      onClick={() => onOpen(user)}
    >
      <IconId size={18} aria-hidden />
      {t('users.licence_show')}
    </button>
  )
}

/** The picture of a driving licence in full size. */
export function LicenceDialog({ user, onClose }: { user: UserView | null; onClose: () => void }) {
  const { t } = useText()
  if (!user?.licenseImage) return null
  const title = t('users.licence_of', { name: userName(user) })
  return (
    <Dialog open onClose={onClose} title={title} width={820}>
      <img src={user.licenseImage} alt={title} className={classes.licencePicture} />
    </Dialog>
  )
}
