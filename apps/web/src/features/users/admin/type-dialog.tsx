import type { UserView } from '@hansom/contract/users'
import { type Role, roles } from '@hansom/domain/users/roles'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { personName } from './person-mark.tsx'
import classes from './type-dialog.module.css'

interface Props {
  person: UserView
  onClose: () => void
  onSaved: (person: UserView) => void
}

/** Gives a person another user type; says what each may do, and that it counts at once. */
export function TypeDialog({ person, onClose, onSaved }: Props) {
  const { t } = useText()
  const [chosen, setChosen] = useState<Role>(person.usertype)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = () => {
    setBusy(true)
    setError(null)
    api.users
      .change_type({ id: person.uid, usertype: chosen, version: person.version })
      .then(onSaved, setError)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('people.type_of', { name: personName(person) })}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="primary" busy={busy} disabled={chosen === person.usertype} onClick={save}>
            {t('people.type_save')}
          </Button>
        </DialogButtons>
      }
    >
      <fieldset className={classes.types}>
        <legend className={classes.legend}>{t('people.type_effect')}</legend>
        {roles.map((role) => (
          <label key={role} className={classes.type}>
            <input
              type="radio"
              name="usertype"
              checked={chosen === role}
              onChange={() => {
                setChosen(role)
                setError(null)
              }}
            />
            <span>
              {t(`people.type_${role}`)}
              <small>{t(`people.may_${role}`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {error ? (
        <Notice tone="bad">
          <ErrorMessage error={error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}
