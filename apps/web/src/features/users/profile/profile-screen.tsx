import type { Me } from '@hansom/contract/users'
import { keepsContacts } from '@hansom/domain/safety/trusted-contacts'
import { type UserTextField, userTextFields } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { IconCopy, IconShare } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeMe, useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import formClasses from '../../../ui/form-card.module.css'
import { partOnDemand } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { textField } from '../../../ui/record-field.tsx'
import { useRecordForm } from '../../../ui/record-form.tsx'
import { AccountSection } from './account-section.tsx'
import { AddressesSection } from './addresses-section.tsx'
import { DetailsForm } from './details-form.tsx'
import { MessagesSection } from './messages-section.tsx'
import { PhotoField } from './photo-field.tsx'
import classes from './profile-screen.module.css'
import { PushSection } from './push-section.tsx'
import { Section } from './section.tsx'
import { PasswordSection, SessionsSection } from './security-section.tsx'

const TrustedContacts = partOnDemand(
  'contacts',
  async () => (await import('../../../entities/safety/trusted-contacts.tsx')).TrustedContacts,
)

/** The signed-in user's profile and account. `alerts` is the section of admins and fleet admins. */
export function ProfileScreen({ alerts }: { alerts: ReactNode }) {
  const { t } = useText()
  const me = useMe()
  const { bank_fields, category } = useSettings()
  if (!me) return null
  const withdraws = me.usertype === 'rider' || me.usertype === 'driver'
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('auth.profile')}</h1>
      <PhotoField me={me} />
      <DetailsForm key={me.uid} me={me} />
      {withdraws ? <ReferralSection me={me} /> : null}
      {bank_fields && withdraws ? <BankSection me={me} /> : null}
      {/* The drops of deliveries are where recipients live: none is saved. */}
      {me.usertype === 'rider' && category === 'taxi' ? <AddressesSection /> : null}
      {keepsContacts(me.usertype, category) ? (
        <Section title={t('profile.contacts')} anchor="contacts">
          <TrustedContacts />
        </Section>
      ) : null}
      {me.usertype === 'admin' || me.usertype === 'fleetadmin' ? alerts : null}
      {me.loginType === 'email' ? <PasswordSection /> : null}
      <PushSection />
      {me.usertype === 'rider' ? <MessagesSection me={me} /> : null}
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

type Bank = Record<UserTextField<'bank'>, string>

const names = userTextFields('bank')
const fields = names.map((name) =>
  textField(name, `register.${name}`, { dir: userFields[name].kind === 'text' ? 'auto' : 'ltr' }),
)
const bankOf = (me: Me) => Object.fromEntries(names.map((name) => [name, me[name] ?? ''])) as Bank

/** Bank account for withdrawals. */
function BankSection({ me }: { me: Me }) {
  const { t } = useText()
  const [isSaved, setSaved] = useState(false)
  const record = useMemo(() => ({ ...bankOf(me), version: me.version }), [me])
  const form = useRecordForm<Bank, Bank & { version: number }, Me>({
    command: 'users.updateMe bank',
    record,
    blank: record,
    fields,
    check: () => [],
    save: ({ changes, record: read, options }) => {
      setSaved(false)
      return api.users.updateMe({ ...changes, version: (read ?? record).version }, options)
    },
    onSaved: (saved) => {
      storeMe(saved)
      setSaved(true)
    },
    onUnchanged: () => setSaved(true),
  })
  return (
    <Section title={t('register.bank')} intro={t('profile.bank_intro')}>
      <form className={formClasses.form} {...form.element}>
        {names.map((name) => form.field(name))}
        {form.notice}
        {isSaved ? <Notice tone="good">{t('profile.profile_updated')}</Notice> : null}
        <Button type="submit" busy={form.busy}>
          {t('profile.bank_save')}
        </Button>
      </form>
    </Section>
  )
}
