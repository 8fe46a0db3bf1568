import type { Me } from '@hansom/contract/users'
import { type MessagePreferences, mailTopics } from '@hansom/domain/messages/topics'
import { useMutation, useQuery } from '@tanstack/react-query'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { ErrorNotice, Section } from './section.tsx'

const options = orpc.messages.preferences.queryOptions()
const show = (stored: MessagePreferences) => queryClient.setQueryData(options.queryKey, stored)

/** What a rider gets by email and text message about their trips; each change is saved at once. */
export function MessagesSection({ me }: { me: Me }) {
  const { t } = useText()
  const query = useQuery(options)
  const save = useMutation({
    // One at a time, because each request replaces all preferences.
    ...orpc.messages.setPreferences.mutationOptions({ scope: { id: 'messages.setPreferences' } }),
    // Shows what is stored.
    onError: () => queryClient.invalidateQueries({ queryKey: options.queryKey }),
  })
  const change = (changed: (now: MessagePreferences) => MessagePreferences) => {
    const now = queryClient.getQueryData(options.queryKey)
    if (!now) return
    const wanted = changed(now)
    show(wanted)
    save.mutate(wanted)
  }
  const canText = me.mobile !== null && me.mobile_verified_at !== null
  return (
    <Section title={t('profile.messages')} intro={t('profile.messages_intro')}>
      {query.isPending ? <LoadingState rows={4} height="44px" /> : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data ? (
        <div>
          {mailTopics.map((topic) => (
            <SwitchField
              key={topic}
              label={t(`profile.mail_${topic}`)}
              name={topic}
              checked={query.data.mails.includes(topic)}
              onChange={(on) =>
                change(({ mails, texts }) => ({
                  mails: mailTopics.filter((one) => (one === topic ? on : mails.includes(one))),
                  texts,
                }))
              }
            />
          ))}
          <SwitchField
            label={t('profile.trip_texts')}
            hint={canText ? null : t('profile.trip_texts_hint')}
            name="texts"
            disabled={!canText}
            checked={query.data.texts}
            onChange={(texts) => change((now) => ({ ...now, texts }))}
          />
        </div>
      ) : null}
      <ErrorNotice error={save.error} />
    </Section>
  )
}
