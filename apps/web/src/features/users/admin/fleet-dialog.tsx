import type { UserView } from '@hansom/contract/users'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PersonPicker } from '../../../entities/users/person-picker.tsx'
import classes from './people.module.css'
import { personName } from './person-mark.tsx'
import { savePerson } from './save-person.ts'

interface Props {
  person: UserView
  onClose: () => void
  onSaved: (person: UserView) => void
}

/** Puts a driver into a fleet, or out of every fleet. */
export function FleetDialog({ person, onClose, onSaved }: Props) {
  const { t } = useText()
  const [fleet, setFleet] = useState(person.fleetadmin ?? undefined)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = (fleetadmin: string | null) => {
    setBusy(true)
    setError(null)
    savePerson(person, { fleetadmin })
      .then(onSaved, setError)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('people.fleet_of', { name: personName(person) })}
      footer={
        <DialogButtons onCancel={onClose}>
          {person.fleetadmin ? (
            <Button onClick={() => save(null)} busy={busy}>
              {t('people.fleet_none')}
            </Button>
          ) : null}
          <Button
            variant="primary"
            busy={busy}
            disabled={fleet === undefined || fleet === person.fleetadmin}
            onClick={() => save(fleet ?? null)}
          >
            {t('people.fleet_save')}
          </Button>
        </DialogButtons>
      }
    >
      <div className={classes.fleetForm}>
        <PersonPicker
          label={t('people.fleetadmin')}
          usertype="fleetadmin"
          value={fleet}
          onChange={setFleet}
        />
        {error ? (
          <Notice tone="bad">
            <ErrorMessage error={error} />
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
