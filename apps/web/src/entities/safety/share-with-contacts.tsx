import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import classes from './safety.module.css'

interface Props {
  id: string
  /** Whether the trip is shared: someone who shares it without trusted contacts learns of them. */
  isShared: boolean
  onShared: () => void
}

/** Sends the link of an active trip to the trusted contacts, or leads to where they are added. */
export function ShareWithContacts({ id, isShared, onShared }: Props) {
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
  if (isShared && data?.contacts.length === 0) {
    return (
      <p className={classes.hint}>
        {t('contacts.none')}{' '}
        <Link to="/profile" hash="contacts">
          {t('contacts.add')}
        </Link>
      </p>
    )
  }
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
