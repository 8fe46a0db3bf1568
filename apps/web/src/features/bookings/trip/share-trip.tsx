import type { BookingView } from '@hansom/contract/bookings'
import { sharedStatuses } from '@hansom/domain/access/shared-trip'
import { isOneOf } from '@hansom/domain/bookings/status'
import { IconShare2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { partOnDemand } from '../../../ui/lazy-part.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import actions from './trip-actions.module.css'

const ShareWithContacts = partOnDemand(
  'shareContacts',
  async () => (await import('../../../entities/safety/share-with-contacts.tsx')).ShareWithContacts,
)

/** Shares a link that shows the trip while it is under way, and stops sharing. */
export function ShareTrip({ view }: { view: BookingView }) {
  if (view.viewer !== 'rider' || !isOneOf(sharedStatuses, view.status)) return null
  return <Sharing id={view.id} />
}

function Sharing({ id }: { id: string }) {
  const { t } = useText()
  const { appName } = useSettings()
  const queryClient = useQueryClient()
  const links = orpc.tripLinks.count.queryOptions({ input: { id } })
  const { data } = useQuery(links)
  const [told, setTold] = useState<string | null>(null)
  /** The link itself, if the browser can neither share nor copy. */
  const [shown, setShown] = useState<string | null>(null)
  const say = (text: string) => {
    setTold(text)
    announce(text)
  }
  const active = data?.active ?? 0
  /** The link made on this page; after a closed share sheet it is offered again. */
  const made = useRef<string | null>(null)
  const share = useMutation({
    mutationFn: async () => {
      // Sharing may have stopped on another device.
      if (made.current !== null && active > 0) return made.current
      const { path } = await api.tripLinks.create({ id })
      made.current = path
      queryClient.setQueryData(links.queryKey, (before) => ({ active: (before?.active ?? 0) + 1 }))
      return path
    },
    onSuccess: async (path) => {
      const url = new URL(path, location.href).href
      const text = t('trip.share_text', { app: appName })
      const handed = await handOver({ title: t('trip.share_title'), text, url })
      if (handed === 'copied') say(t('trip.share_copied'))
      if (handed === 'none') setShown(url)
    },
  })
  const stop = useMutation({
    mutationFn: () => api.tripLinks.revoke({ id }),
    onSuccess: (active) => {
      setAsking(false)
      queryClient.setQueryData(links.queryKey, active)
      made.current = null
      setShown(null)
      say(t('trip.share_stopped'))
    },
  })
  const [isAsking, setAsking] = useState(false)
  const error = share.error ?? (isAsking ? null : stop.error)
  return (
    <section className={actions.share}>
      <div className={actions.buttons}>
        <Button busy={share.isPending} onClick={() => share.mutate()}>
          <IconShare2 size={18} aria-hidden />
          {t('trip.share')}
        </Button>
        {active > 0 ? (
          <Button variant="quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {t('trip.share_stop')}
          </Button>
        ) : null}
      </div>
      <ShareWithContacts
        id={id}
        isShared={active > 0}
        onShared={() => void queryClient.invalidateQueries({ queryKey: links.queryKey })}
      />
      {isAsking ? (
        <Dialog
          open
          role="alertdialog"
          title={t('trip.share_stop_title')}
          hideClose
          onClose={() => setAsking(false)}
          footer={
            <DialogButtons onCancel={() => setAsking(false)}>
              <Button variant="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
                {t('trip.share_stop')}
              </Button>
            </DialogButtons>
          }
        >
          <p>{t('trip.share_stop_text')}</p>
          {stop.error ? <ErrorMessage error={stop.error} /> : null}
        </Dialog>
      ) : null}
      {shown ? (
        <TextField
          readOnly
          dir="ltr"
          label={t('trip.share_link')}
          value={shown}
          onFocus={(event) => event.target.select()}
        />
      ) : null}
      <p className={actions.note}>
        {told ?? (active > 0 ? t('trip.share_active', { count: active }) : null)}
      </p>
      {error ? (
        <p role="alert" className={actions.problem}>
          <ErrorMessage error={error} />
        </p>
      ) : null}
    </section>
  )
}

/** Passes a link to the device's share sheet or the clipboard. A closed share sheet is neither an error nor shared. */
async function handOver(data: {
  title: string
  text: string
  url: string
}): Promise<'shared' | 'copied' | 'none'> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(data)
      return 'shared'
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'shared'
    }
  }
  try {
    await navigator.clipboard.writeText(data.url)
    return 'copied'
  } catch {
    return 'none'
  }
}
