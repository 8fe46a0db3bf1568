import type { Me } from '@hansom/contract/users'
import { IconCopy, IconShare } from '@tabler/icons-react'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { AccountSection } from './account-section.tsx'
import { AddressesSection } from './addresses-section.tsx'
import { BankSection } from './bank-section.tsx'
import { DetailsForm } from './details-form.tsx'
import { PasswordSection } from './password-section.tsx'
import { PhotoField } from './photo-field.tsx'
import classes from './profile-screen.module.css'
import { Section } from './section.tsx'
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

/** The user's referral id: to read out, copy, or share as a sign-up link with the id filled in. */
function ReferralSection({ me }: { me: Me }) {
  const { t } = useText()
  const { appName } = useSettings()
  const url = `${location.origin}/register?ref=${encodeURIComponent(me.referralId)}`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      announce(t('profile.referral_copied'))
    } catch {
      announce(t('profile.referral_not_copied'))
    }
  }
  // Closing the share sheet is not an error.
  const share = () =>
    navigator.share({ title: appName, text: t('profile.referral_text', { appName }), url }).catch(() => {})
  return (
    <Section title={t('profile.referral')} intro={t('profile.referral_intro')}>
      <div className={classes.row}>
        <bdi dir="ltr" className={classes.code}>
          {me.referralId}
        </bdi>
        <Button onClick={() => void copy()}>
          <IconCopy size={20} stroke={1.7} aria-hidden />
          {t('profile.referral_copy')}
        </Button>
        {'share' in navigator ? (
          <Button onClick={() => void share()}>
            <IconShare size={20} stroke={1.7} aria-hidden />
            {t('profile.referral_share')}
          </Button>
        ) : null}
      </div>
    </Section>
  )
}
