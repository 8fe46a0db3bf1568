import type { Integration } from '@hansom/contract/integrations'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { CardServices } from './card-services.tsx'
import { Section } from './section.tsx'
import classes from './settings-screen.module.css'

const without: Record<Integration['name'], TextKey> = {
  mail: 'settings.kept_here',
  sms: 'settings.kept_here',
  storage: 'settings.files_here',
  facebook: 'settings.not_offered',
  apple: 'settings.not_offered',
  licence: 'settings.not_asked',
}

/** The outside services: which are set up, and a try of those that carry messages. */
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
            {name === 'mail' || name === 'sms' ? <ProviderTest name={name} /> : null}
          </li>
        ))}
      </ul>
      <CardServices />
    </Section>
  )
}

/** Sends a message to the admin's own address or number, and says what came of it. */
function ProviderTest({ name }: { name: 'mail' | 'sms' }) {
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
              t(`settings.test_${data.outcome}`, { to: isolated(data.to), detail: isolated(data.detail) })
            ) : (
              <ErrorMessage error={error} />
            )}
          </Notice>
        </div>
      ) : null}
    </>
  )
}
