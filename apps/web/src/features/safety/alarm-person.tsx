import type { SafetyAlarm } from '@hansom/contract/safety'
import { Link } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { PhoneLink } from '../../ui/phone-link.tsx'
import classes from './safety-screen.module.css'

interface Props {
  label: string
  person: SafetyAlarm['rider']
  plate?: string | null
  /** The page with the person's record, if the viewer may see it. */
  records: '/riders' | '/drivers' | null
}

/** Rider or driver of an alarm, with the ways to reach them. */
export function AlarmPerson({ label, person, plate = null, records }: Props) {
  const { t } = useText()
  const name = <bdi>{person.name}</bdi>
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {records && person.id ? (
          <Link to={records} search={{ open: person.id }}>
            {name}
          </Link>
        ) : (
          name
        )}
        {plate ? (
          <>
            {' · '}
            <bdi className={classes.plate}>{plate}</bdi>
          </>
        ) : null}
        {person.phone ? (
          <>
            <br />
            <PhoneLink phone={person.phone} />
          </>
        ) : null}
        {person.contacts.length > 0 ? (
          <ul className={classes.contacts} aria-label={t('alarms.contacts')}>
            <li aria-hidden className={classes.label}>
              {t('alarms.contacts')}
            </li>
            {person.contacts.map(({ name, mobile, email }) => (
              <li key={`${name} ${mobile} ${email}`}>
                <bdi>{name}</bdi> {mobile ? <PhoneLink phone={mobile} /> : null}{' '}
                {email ? <bdi dir="ltr">{email}</bdi> : null}
              </li>
            ))}
          </ul>
        ) : null}
      </dd>
    </>
  )
}
