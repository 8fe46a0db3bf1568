import type { Integration, IntegrationTest } from '@hansom/contract/integrations'
import type { CardService } from '@hansom/contract/payments'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ProviderMark } from '../../entities/payments/provider-mark.tsx'
import { api, orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { Section } from './settings-page.tsx'
import classes from './settings-screen.module.css'

const without: Record<Integration['name'], TextKey> = {
  mail: 'settings.kept_here',
  sms: 'settings.kept_here',
  push: 'settings.kept_here',
  voice: 'settings.real_numbers',
  storage: 'settings.files_here',
  facebook: 'settings.not_offered',
  apple: 'settings.not_offered',
  licence: 'settings.not_asked',
}

/** The outside services and whether they are configured, with a test of mail, SMS, push and calls. */
export function ProvidersSection() {
  const { t } = useText()
  const query = useQuery(orpc.integrations.list.queryOptions())
  return (
    <Section id="providers" title={t('settings.providers')} text={t('settings.providers_text')}>
      {query.isPending ? <LoadingState rows={4} height="44px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      <ul className={classes.providers}>
        {query.data?.map(({ name, configured }) => (
          <li key={name} className={classes.provider}>
            <span className={classes.providerName}>{t(`settings.provider_${name}`)}</span>
            <span className={classes.providerState} data-on={configured || undefined}>
              {t(configured ? 'settings.configured' : without[name])}
            </span>
            {name === 'mail' || name === 'sms' || name === 'push' || (name === 'voice' && configured) ? (
              <ProviderTest name={name} />
            ) : null}
          </li>
        ))}
      </ul>
      <CardServices />
    </Section>
  )
}

/** Sends a test message to the admin's own e-mail address, number or device, or checks the calls, and shows the outcome. */
function ProviderTest({ name }: { name: 'mail' | 'sms' | 'push' | 'voice' }) {
  const { t } = useText()
  const me = useMe()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => api.integrations.test({ name }),
  })
  if (name === 'sms' && !me?.mobile) return <p className={classes.needs}>{t('settings.needs_mobile')}</p>
  return (
    <>
      <Button
        size="small"
        busy={isPending}
        aria-label={t(`settings.test_${name}`)}
        className={classes.providerTest}
        onClick={() => mutate()}
      >
        {t('settings.test')}
      </Button>
      {data || error ? (
        <div className={classes.outcome}>
          <Notice tone={error || data?.outcome === 'failed' ? 'bad' : 'good'}>
            {data ? (
              t(outcomeKey(name, data), { to: isolated(data.to), detail: isolated(data.detail) })
            ) : (
              <ErrorMessage error={error} />
            )}
          </Notice>
        </div>
      ) : null}
    </>
  )
}

function outcomeKey(name: string, { outcome }: IntegrationTest): TextKey {
  if (outcome === 'checked') return 'settings.voice_checked'
  return name === 'voice' ? 'settings.voice_failed' : `settings.test_${outcome}`
}

/** The payment providers for cards, with the facts needed to configure them. */
function CardServices() {
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
