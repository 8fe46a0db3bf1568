import type { Me } from '@hansom/contract/users'
import { changeableContacts, isEmail } from '@hansom/domain/users/contact'
import { type UserTextField, userTextFields } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { useState } from 'react'
import { ConfirmMobileForm } from '../../../entities/users/confirm-mobile-form.tsx'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeMe, useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { errorText } from '../../../ui/error-message.tsx'
import formClasses from '../../../ui/form-card.module.css'
import { PlainForm } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ProblemSummary, type Problems, refusedFields } from '../../../ui/problem-summary.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './profile-screen.module.css'

type Names = Record<UserTextField<'name'>, string>
const names = userTextFields('name')
const isRequired = (name: keyof Names) => !('nullable' in userFields[name])
const namesOf = (me: Me) => Object.fromEntries(names.map((name) => [name, me[name] ?? ''])) as Names
const autoComplete: Partial<Names> = {
  firstName: 'given-name',
  lastName: 'family-name',
  preferredName: 'nickname',
}

/** Name, contacts and role. A changed email is stored only once its link is opened. */
export function DetailsForm({ me }: { me: Me }) {
  const { t } = useText()
  const [values, setValues] = useState(() => ({ ...namesOf(me), email: me.email ?? '' }))
  const [problems, setProblems] = useState<Problems>({})
  const [message, setMessage] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const [asking, setAsking] = useState<'own' | 'another' | null>(null)
  const may = changeableContacts(me)

  const refuse = (found: Problems, summary: string | null) => {
    setProblems(found)
    setMessage(summary)
    setTurn((now) => now + 1)
  }
  const submit = async () => {
    if (busy) return
    setSaved(null)
    const email = values.email.trim()
    const blank = names.filter((name) => isRequired(name) && values[name].trim() === '')
    const found: Problems = {
      ...Object.fromEntries(blank.map((name) => [name, t('error.proper_input_name')])),
      ...(!may.email || isEmail(email) ? {} : { email: t('error.proper_email') }),
    }
    if (Object.keys(found).length > 0) return refuse(found, null)
    setBusy(true)
    try {
      storeMe(
        await api.users.updateMe({
          ...(Object.fromEntries(names.map((name) => [name, values[name]])) as Names),
          version: me.version,
        }),
      )
      const moved = may.email && email !== me.email
      if (moved) await api.accounts.requestEmailChange({ email })
      setProblems({})
      setMessage(null)
      setSaved(
        moved ? t('profile.email_sent', { email: `\u2068${email}\u2069` }) : t('profile.profile_updated'),
      )
    } catch (cause) {
      refuse(refusedFields(cause, t), errorText(cause, t))
    } finally {
      setBusy(false)
    }
  }
  const line = (name: keyof Names) => (
    <TextField
      key={name}
      label={t(`users.${name}`)}
      name={name}
      autoComplete={autoComplete[name]}
      value={values[name]}
      onChange={(event) => setValues({ ...values, [name]: event.target.value })}
      error={problems[name]}
      hint={name === 'preferredName' ? t('profile.preferred_name_hint') : undefined}
    />
  )

  return (
    <>
      <PlainForm onSubmit={() => void submit()}>
        <ProblemSummary
          problems={problems}
          message={message}
          labels={{
            ...Object.fromEntries(names.map((name) => [name, t(`users.${name}`)])),
            email: t('auth.email'),
          }}
          attempt={turn}
        />
        <div className={formClasses.pair}>{names.map(line)}</div>
        <TextField
          label={t('auth.email')}
          name="email"
          type="email"
          dir="ltr"
          autoComplete="email"
          disabled={!may.email}
          value={may.email ? values.email : (me.email ?? '')}
          onChange={(event) => setValues({ ...values, email: event.target.value })}
          error={problems.email}
          hint={may.email ? t('profile.email_hint') : <ContactHint />}
        />
        <MobileField me={me} changeable={may.mobile} onAsk={(own) => setAsking(own ? 'own' : 'another')} />
        <TextField label={t('auth.usertype')} value={t(`auth.role_${me.usertype}`)} readOnly disabled />
        {saved ? <Notice tone="good">{saved}</Notice> : null}
        <Button type="submit" variant="primary" size="large" busy={busy}>
          {t('profile.save')}
        </Button>
      </PlainForm>
      {/* Contains its own form, which must not be nested in this one. */}
      {asking ? <MobileDialog me={me} own={asking === 'own'} onClose={() => setAsking(null)} /> : null}
    </>
  )
}

/** Explains how to change a contact that users cannot change themselves. */
function ContactHint() {
  const { t } = useText()
  const { contact_email } = useSettings()
  // Admins are the support that others write to.
  if (useMe()?.usertype === 'admin') return <>{t('profile.contact_fixed_admin')}</>
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

interface MobileFieldProps {
  me: Me
  changeable: boolean
  /** Called to confirm the `own` number or to enter a new one, which needs a dialog for the code. */
  onAsk: (own: boolean) => void
}

/** The current mobile, with buttons to change or confirm it. */
function MobileField({ me, changeable, onAsk }: MobileFieldProps) {
  const { t } = useText()
  const { MobileLoginEnabled } = useSettings()
  // Riders prove it to get the trips that they booked by phone.
  const isUseful = MobileLoginEnabled || me.usertype === 'rider'
  const isUnproven = isUseful && me.mobile !== null && me.mobile_verified_at === null
  return (
    <div className={classes.mobile}>
      <TextField
        label={t('auth.mobile')}
        dir="ltr"
        value={me.mobile ?? ''}
        placeholder={'\u2013'}
        readOnly
        disabled={!changeable}
        hint={changeable ? t('profile.mobile_hint') : <ContactHint />}
      />
      {isUnproven ? (
        <Button size="small" onClick={() => onAsk(true)}>
          {t('profile.mobile_confirm')}
        </Button>
      ) : null}
      {changeable ? (
        <Button size="small" onClick={() => onAsk(false)}>
          {me.mobile ? t('profile.mobile_change') : t('profile.mobile_add')}
        </Button>
      ) : null}
    </div>
  )
}

interface MobileDialogProps {
  me: Me
  /** Confirms the current number; otherwise the user can enter a new one. */
  own: boolean
  onClose: () => void
}

/** Verifies a mobile number in a dialog. */
function MobileDialog({ me, own, onClose }: MobileDialogProps) {
  const { t } = useText()
  const done = () => {
    announce(t('profile.profile_updated'))
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={t('profile.mobile_title')}>
      <ConfirmMobileForm me={me} own={own} onDone={done} />
    </Dialog>
  )
}
