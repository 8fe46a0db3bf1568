import type { CardService } from '@hansom/contract/payments'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { ProviderMark } from '../../entities/payments/provider-mark.tsx'
import classes from './settings-screen.module.css'

/** Who is set up to take cards, and what somebody who sets it up has to know. */
export function CardServices() {
  const { t } = useText()
  const query = useQuery(orpc.payments.services.queryOptions())
  return (
    <>
      <h3 className={classes.cardsTitle}>{t('settings.cards')}</h3>
      {query.isPending ? <LoadingState rows={1} height="44px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data?.length === 0 ? <p className={classes.needs}>{t('settings.cards_none')}</p> : null}
      <ul className={classes.providers}>
        {query.data?.map((service) => (
          <Service key={service.name} service={service} />
        ))}
      </ul>
    </>
  )
}

function Service({ service }: { service: CardService }) {
  const { t } = useText()
  const { name, live, currency, takes, webhook, refunds, refused } = service
  return (
    <li className={classes.card}>
      <ProviderMark name={name} />
      <div className={classes.cardText}>
        <span className={classes.providerName}>
          <bdi>{t(`payments.provider_${name}`)}</bdi>
        </span>
        <span className={classes.cardState} data-on={(live && takes) || undefined}>
          {t(live ? 'settings.cards_live' : 'settings.cards_sandbox')}
          {refunds ? null : <> · {t('settings.cards_by_hand')}</>}
        </span>
        {name === 'test' ? null : (
          <span className={classes.cardState}>
            {t('settings.cards_webhook')} <Ltr>{webhook}</Ltr>
          </span>
        )}
        {takes ? null : (
          <span className={classes.cardTrouble}>
            {t('settings.cards_takes_not', { currency: isolated(currency) })}
          </span>
        )}
        {refused === 0 ? null : (
          <span className={classes.cardTrouble}>{t('settings.cards_refused', { count: refused })}</span>
        )}
      </div>
    </li>
  )
}
