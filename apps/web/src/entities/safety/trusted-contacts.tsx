import type { TrustedContact } from '@hansom/contract/safety'
import { maxContactName, maxTrustedContacts } from '@hansom/domain/safety/trusted-contacts'
import { isEmail } from '@hansom/domain/users/contact'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { FocusFirst } from '../../ui/focus-first.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './trusted-contacts.module.css'

const options = orpc.safety.contacts.queryOptions()

/** The people whom a rider, sender or driver wants to be informed: at most three, each with their own choices. */
export function TrustedContacts() {
  const { t } = useText()
  const format = useFormat()
  const isDriver = useMe()?.usertype === 'driver'
  const query = useQuery(options)
  const [edited, edit] = useState<TrustedContact | 'new' | null>(null)
  const remove = useMutation({
    mutationFn: (id: string) => api.safety.removeContact({ id }),
    onSuccess: (stored) => queryClient.setQueryData(options.queryKey, stored),
  })
  const contacts = query.data?.contacts ?? []
  const most = format.number(maxTrustedContacts)
  return (
    <div className={classes.contacts}>
      <p className={classes.intro}>{t(isDriver ? 'contacts.intro_driver' : 'contacts.intro', { most })}</p>
      {query.isPending ? <LoadingState rows={1} height="56px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {contacts.length > 0 ? (
        <ul className={classes.list}>
          {contacts.map((contact) => (
            <li key={contact.id} className={classes.item}>
              <span className={classes.grow}>
                <bdi>{contact.name}</bdi>
                {[contact.mobile, contact.email].map((address) =>
                  address ? (
                    <span key={address} className={classes.quiet}>
                      <bdi dir="ltr">{address}</bdi>
                    </span>
                  ) : null,
                )}
                {contact.refused ? <span className={classes.quiet}>{t('contacts.refused')}</span> : null}
              </span>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('contacts.change', { name: contact.name })}
                onClick={() => edit(contact)}
              >
                <IconPencil size={20} stroke={1.6} aria-hidden />
              </Button>
              <Button
                variant="quiet"
                size="icon"
                aria-label={t('contacts.remove', { name: contact.name })}
                busy={remove.isPending && remove.variables === contact.id}
                onClick={() => remove.mutate(contact.id)}
              >
                <IconTrash size={20} stroke={1.6} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {remove.error ? (
        <Notice tone="bad">
          <ErrorMessage error={remove.error} />
        </Notice>
      ) : null}
      {query.data && contacts.length < maxTrustedContacts ? (
        <Button onClick={() => edit('new')}>{t('contacts.add')}</Button>
      ) : null}
      {edited === null ? null : (
        <ContactDialog
          contact={edited === 'new' ? null : edited}
          isDriver={isDriver}
          onClose={() => edit(null)}
        />
      )}
    </div>
  )
}

interface DialogProps {
  contact: TrustedContact | null
  isDriver: boolean
  onClose: () => void
}

function ContactDialog({ contact, isDriver, onClose }: DialogProps) {
  const { t } = useText()
  const { category } = useSettings()
  const [values, setValues] = useState(() => ({
    name: contact?.name ?? '',
    mobile: contact?.mobile ?? '',
    email: contact?.email ?? '',
    share_always: contact?.share_always ?? false,
    // A driver's contacts are informed of nothing else.
    on_help: contact?.on_help ?? isDriver,
  }))
  const [isChecked, check] = useState(false)
  const set = (changed: Partial<typeof values>) => setValues((now) => ({ ...now, ...changed }))
  const email = values.email.trim()
  const isUnreachable = values.mobile.trim() === '' && email === ''
  const isBadEmail = email !== '' && !isEmail(email)
  const isNameless = values.name.trim() === ''
  const save = useMutation({
    mutationFn: () =>
      contact ? api.safety.changeContact({ ...values, id: contact.id }) : api.safety.addContact(values),
    onSuccess: (stored) => {
      queryClient.setQueryData(options.queryKey, stored)
      onClose()
    },
  })
  const submit = () => {
    check(true)
    if (!isUnreachable && !isBadEmail && !isNameless && !save.isPending) save.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={t(contact ? 'contacts.change_title' : 'contacts.add_title')}>
      <PlainForm onSubmit={submit}>
        <FocusFirst>
          <TextField
            label={t('contacts.name')}
            name="name"
            dir="auto"
            maxLength={maxContactName}
            value={values.name}
            error={isChecked && isNameless ? t('error.field_required') : null}
            onChange={(event) => set({ name: event.target.value })}
          />
        </FocusFirst>
        <TextField
          label={t('contacts.mobile')}
          name="mobile"
          type="tel"
          dir="ltr"
          maxLength={30}
          value={values.mobile}
          onChange={(event) => set({ mobile: event.target.value })}
        />
        <TextField
          label={t('contacts.email')}
          name="email"
          type="email"
          dir="ltr"
          maxLength={254}
          hint={t('contacts.reach')}
          error={
            isChecked && isBadEmail
              ? t('error.proper_email')
              : isChecked && isUnreachable
                ? t('contacts.reach')
                : null
          }
          value={values.email}
          onChange={(event) => set({ email: event.target.value })}
        />
        {isDriver ? null : (
          <SwitchField
            label={t('contacts.always')}
            hint={t('contacts.always_hint')}
            checked={values.share_always}
            onChange={(share_always) => set({ share_always })}
          />
        )}
        {category === 'taxi' ? (
          <SwitchField
            label={t('contacts.on_help')}
            checked={values.on_help}
            onChange={(on_help) => set({ on_help })}
          />
        ) : null}
        {save.error ? (
          <Notice tone="bad">
            <ErrorMessage error={save.error} />
          </Notice>
        ) : null}
        <Button type="submit" variant="primary" wide busy={save.isPending}>
          {t('contacts.save')}
        </Button>
      </PlainForm>
    </Dialog>
  )
}
