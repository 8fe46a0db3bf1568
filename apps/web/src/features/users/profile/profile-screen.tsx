import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { AccountSection } from './account-section.tsx'
import { AddressesSection } from './addresses-section.tsx'
import { BankSection } from './bank-section.tsx'
import { DetailsForm } from './details-form.tsx'
import { PasswordSection } from './password-section.tsx'
import { PhotoField } from './photo-field.tsx'
import classes from './profile-screen.module.css'
import { ReferralSection } from './referral-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The signed-in user's profile and account. */
export function ProfileScreen() {
  const { t } = useText()
  const me = useMe()
  const { bank_fields } = useSettings()
  if (!me) return null
  const withdraws = me.usertype === 'rider' || me.usertype === 'driver'
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('auth.profile')}</h1>
      <PhotoField me={me} />
      <DetailsForm key={me.uid} me={me} />
      {withdraws ? <ReferralSection me={me} /> : null}
      {bank_fields && withdraws ? <BankSection me={me} /> : null}
      {me.usertype === 'rider' ? <AddressesSection /> : null}
      {me.loginType === 'email' ? <PasswordSection /> : null}
      <SessionsSection />
      <AccountSection me={me} />
    </div>
  )
}
