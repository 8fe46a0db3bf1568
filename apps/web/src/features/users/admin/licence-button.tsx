import type { UserView } from '@hansom/contract/users'
import { IconId } from '@tabler/icons-react'
import { useText } from '../../../lib/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './people.module.css'
import { personName } from './person-mark.tsx'

interface Props {
  person: UserView
  onOpen: (person: UserView) => void
}

/** Opens the picture of a driver's licence. */
export function LicenceButton({ person, onOpen }: Props) {
  const { t } = useText()
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.licence}
      aria-haspopup="dialog"
      aria-label={t('people.licence_of', { name: personName(person) })}
      onClick={() => onOpen(person)}
    >
      <IconId size={18} aria-hidden />
      {t('people.licence_show')}
    </button>
  )
}

/** The picture of a licence, as large as there is room. */
export function LicenceDialog({ person, onClose }: { person: UserView | null; onClose: () => void }) {
  const { t } = useText()
  if (!person?.licenseImage) return null
  const words = t('people.licence_of', { name: personName(person) })
  return (
    <Dialog open onClose={onClose} title={words} width={820}>
      <img src={person.licenseImage} alt={words} className={classes.licencePicture} />
    </Dialog>
  )
}
