import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import classes from './safety.module.css'

/** Sends the link of an active trip to the trusted contacts. Nothing for someone who has none. */
export function ShareWithContacts({ id, onShared }: { id: string; onShared: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const { data } = useQuery(orpc.safety.contacts.queryOptions())
  const [told, setTold] = useState<string | null>(null)
  const key = useRef<string | null>(null)
  const share = useMutation({
    mutationFn: () => {
      // The same press is sent again after a lost connection.
      key.current ??= newIdempotencyKey()
      return api.safety.share({ id }, { context: { idempotencyKey: key.current } })
    },
    onSuccess: ({ names }) => {
      key.current = null
      const text = t('contacts.sent', { names: format.list(names.map(isolated)) })
      setTold(text)
      announce(text)
      onShared()
    },
  })
  if (!data?.contacts.some(({ refused }) => !refused)) return null
  return (
    <div className={classes.contacts}>
      <Button busy={share.isPending} onClick={() => share.mutate()}>
        <IconSend size={18} aria-hidden />
        {t('contacts.share')}
      </Button>
      {told ? <p className={classes.hint}>{told}</p> : null}
      {share.error ? (
        <p role="alert">
          <ErrorMessage error={share.error} />
        </p>
      ) : null}
    </div>
  )
}
