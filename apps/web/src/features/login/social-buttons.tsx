import { IconBrandAppleFilled, IconBrandFacebookFilled } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import classes from './login-screen.module.css'
import { returnAddress } from './return-address.ts'

const providers = [
  { id: 'facebook', Icon: IconBrandFacebookFilled },
  { id: 'apple', Icon: IconBrandAppleFilled },
] as const

/** Signing in with another service's account; only what is switched on and set up. */
export function SocialButtons({ ways }: { ways: { facebook: boolean; apple: boolean } }) {
  const { t } = useText()
  const { next } = useSearch({ strict: false }) as { next?: unknown }
  const shown = providers.filter(({ id }) => ways[id])
  if (shown.length === 0) return null
  const from = encodeURIComponent(returnAddress(next, location.origin) ?? '/')
  return (
    <div className={classes.social}>
      <p className={classes.or}>{t('login.or')}</p>
      {shown.map(({ id, Icon }) => (
        <a key={id} href={`/api/auth/social/${id}?from=${from}`} className={buttonClass({ wide: true })}>
          <Icon size={20} aria-hidden />
          {t(`login.with_${id}`)}
        </a>
      ))}
    </div>
  )
}
