import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'

/** Explains how to change a contact that users cannot change themselves. */
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
