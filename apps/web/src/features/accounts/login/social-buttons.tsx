import { IconBrandAppleFilled, IconBrandFacebookFilled } from '@tabler/icons-react'
import { useText } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import classes from './login-screen.module.css'
import { useReturnUrl } from '../../../entities/accounts/use-return-url.ts'

const providers = [
  { id: 'facebook', Icon: IconBrandFacebookFilled },
  { id: 'apple', Icon: IconBrandAppleFilled },
] as const

/** Social sign-in buttons for the methods that are enabled and configured. */
export function SocialButtons({ ways }: { ways: { facebook: boolean; apple: boolean } }) {
  const { t } = useText()
  const askedFor = useReturnUrl()
  const shown = providers.filter(({ id }) => ways[id])
  if (shown.length === 0) return null
  const from = encodeURIComponent(askedFor ?? '/')
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
