import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'

/** How a contact is changed that its owner cannot change alone. */
export function ContactHint() {
  const { t } = useText()
  const { contact_email } = useSettings()
  return (
    <>
      {t('profile.contact_fixed')}
      {contact_email ? (
        <>
          {' '}
          <a href={`mailto:${contact_email}`}>
            <bdi dir="ltr">{contact_email}</bdi>
          </a>
        </>
      ) : null}
    </>
  )
}
