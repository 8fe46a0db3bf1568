import type { CheckoutView } from '@hansom/contract/payments'
import { IconQuestionMark } from '@tabler/icons-react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import classes from './checkout.module.css'
import { WayBack } from './way-back.tsx'

/** The provider's word and ours differ: a person has to look, and needs the reference for it. */
export function Mismatch({ view }: { view: CheckoutView }) {
  const { t } = useText()
  const { contact_email } = useSettings()
  const provider = isolated(t(`payments.provider_${view.provider}`))
  const subject = encodeURIComponent(t('payments.mail_subject', { reference: view.reference }))
  return (
    <div className={classes.scene}>
      <span className={classes.tick} data-kind="mismatch">
        <IconQuestionMark size={30} stroke={2.2} aria-hidden />
      </span>
      <h1 className={classes.title}>{t('payments.mismatch_title')}</h1>
      <p className={classes.text}>{t('payments.mismatch_text', { provider })}</p>
      <p className={classes.reference}>
        <Ltr>{view.reference}</Ltr>
      </p>
      <div className={classes.actions}>
        {contact_email ? (
          <a
            href={`mailto:${contact_email}?subject=${subject}`}
            className={buttonClass({ variant: 'primary', size: 'large', wide: true })}
          >
            {t('payments.contact')}
          </a>
        ) : null}
        <WayBack view={view} look={{ wide: true }} />
      </div>
    </div>
  )
}
