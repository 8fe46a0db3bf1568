import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { Section } from './settings-page.tsx'
import classes from './settings-screen.module.css'

const names = { mails: 'settings.provider_mail', texts: 'settings.provider_sms' } as const

/** The emails and text messages of today against their limits, and those that a limit held back. */
export function MessageUsage() {
  const { t } = useText()
  const format = useFormat()
  const query = useQuery(orpc.integrations.messages.queryOptions())
  const number = (value: number) => isolated(format.number(value))
  return (
    <Section id="messages" title={t('settings.usage')} text={t('settings.usage_text')}>
      {query.isPending ? <LoadingState rows={2} height="44px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      <ul className={classes.providers}>
        {query.data?.map(({ channel, sent, dropped, limit }) => (
          <li key={channel} className={classes.provider}>
            <span className={classes.providerName}>{t(names[channel])}</span>
            <span className={classes.providerState}>
              {t('settings.usage_sent', { sent: number(sent), limit: number(limit) })}
            </span>
            {dropped > 0 ? (
              <p className={classes.needs} data-bad>
                {t('settings.usage_dropped', { dropped: number(dropped) })}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}
