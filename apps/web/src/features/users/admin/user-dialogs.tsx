import type { UserView } from '@hansom/contract/users'
import { type Role, roles } from '@hansom/domain/users/roles'
import { IconId } from '@tabler/icons-react'
import { useState } from 'react'
import { UserPicker } from '../../../entities/users/user-picker.tsx'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RecordDialog } from '../../../ui/record-dialog.tsx'
import type { RecordField } from '../../../ui/record-field.tsx'
import { saveUser } from './save-user.tsx'
import { userName } from './user-mark.tsx'
import classes from './users.module.css'

interface Props {
  user: UserView
  onClose: () => void
  onSaved: (user: UserView) => void
}

/** Assigns a driver to a fleet, or removes them from theirs. */
export function FleetDialog({ user, onClose, onSaved }: Props) {
  const { t } = useText()
  const [fleet, setFleet] = useState(user.fleetadmin ?? undefined)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = (fleetadmin: string | null) => {
    setBusy(true)
    setError(null)
    saveUser(user, { fleetadmin })
      .then(onSaved, setError)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('users.fleet_of', { name: userName(user) })}
      footer={
        <DialogButtons onCancel={onClose}>
          {user.fleetadmin ? (
            <Button onClick={() => save(null)} busy={busy}>
              {t('users.fleet_none')}
            </Button>
          ) : null}
          <Button
            variant="primary"
            busy={busy}
            disabled={fleet === undefined || fleet === user.fleetadmin}
            onClick={() => save(fleet ?? null)}
          >
            {t('users.fleet_save')}
          </Button>
        </DialogButtons>
      }
    >
      <div className={classes.fleetForm}>
        <UserPicker label={t('users.fleetadmin')} usertype="fleetadmin" value={fleet} onChange={setFleet} />
        {error ? (
          <Notice tone="bad">
            <ErrorMessage error={error} />
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}

interface TypeProps {
  user: UserView
  onClose: () => void
  onSaved: (user: UserView) => void
}

/** Changes the user type; shows the permissions of each. Takes effect immediately. */
export function TypeDialog({ user, onClose, onSaved }: TypeProps) {
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
