import { type AlertKind, alertKindsOf, alertMailIntervalMs } from '@hansom/domain/alerts/alerts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import classes from './profile-screen.module.css'
import { ErrorNotice, Section } from './section.tsx'

const options = orpc.alerts.mail.queryOptions()
const show = (kinds: AlertKind[]) => queryClient.setQueryData(options.queryKey, { kinds })

/** The kinds of alerts that an admin or fleet admin receives by email; each change is saved at once. */
export function AlertsSection() {
  const { t } = useText()
  const me = useMe()
  const { category } = useSettings()
  const query = useQuery(options)
  const [isSaved, setSaved] = useState(false)
  const save = useMutation({
    // One at a time, because each request replaces all kinds.
    ...orpc.alerts.setMail.mutationOptions({ scope: { id: 'alerts.setMail' } }),
    onSuccess: () => setSaved(true),
    // Shows what is stored.
    onError: () => queryClient.invalidateQueries({ queryKey: options.queryKey }),
  })
  if (!me) return null
  const change = (kind: AlertKind, wanted: boolean) => {
    const others = (queryClient.getQueryData(options.queryKey)?.kinds ?? []).filter((one) => one !== kind)
    const kinds = wanted ? [...others, kind] : others
    setSaved(false)
    show(kinds)
    save.mutate({ kinds })
  }
  return (
    <Section
      title={t('alert.mail_title')}
      intro={t('alert.mail_intro', { minutes: alertMailIntervalMs / 60_000 })}
    >
      {query.isPending ? <LoadingState rows={2} height="44px" /> : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data ? (
        <div>
          {alertKindsOf(me.usertype, category).map((kind) => (
            <SwitchField
              key={kind}
              label={t(`alert.${kind}.label`)}
              name={kind}
              checked={query.data.kinds.includes(kind)}
              onChange={(wanted) => change(kind, wanted)}
            />
          ))}
        </div>
      ) : null}
      <ErrorNotice error={save.error} />
      <output className={classes.saved}>{isSaved && save.isSuccess ? t('alert.mail_saved') : null}</output>
    </Section>
  )
}
