import type { UserView } from '@hansom/contract/users'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDemoGuard } from '../../../ui/use-demo-guard.tsx'
import classes from './people.module.css'
import { personName } from './person-mark.tsx'

/** Warns about users who share a phone number in different notations, which older versions allowed. */
export function PhoneCollisions() {
  const { t } = useText()
  const options = orpc.users.phoneCollisions.queryOptions()
  const { data } = useQuery(options)
  const [open, setOpen] = useState(false)
  if (!data || data.length === 0) return null
  return (
    <>
      <Notice tone="attention">
        <div className={classes.collisionNotice}>
          <span>{t('people.collisions', { count: data.length })}</span>
          <Button size="small" onClick={() => setOpen(true)}>
            {t('people.collisions_open')}
          </Button>
        </div>
      </Notice>
      {open ? (
        <Dialog open onClose={() => setOpen(false)} title={t('people.collisions_title')} width={620}>
          <p className={classes.collisionText}>{t('people.collisions_text')}</p>
          {data.map(({ mobile, people }) => (
            <section key={mobile} className={classes.collision} aria-label={mobile}>
              <h3>
                <Ltr>{mobile}</Ltr>
              </h3>
              <ul>
                {people.map((person) => (
                  <Holder key={person.uid} person={person} />
                ))}
              </ul>
            </section>
          ))}
        </Dialog>
      ) : null}
    </>
  )
}

/** A user with the number, and a button to remove it from them. */
function Holder({ person }: { person: UserView }) {
  const { t } = useText()
  const format = useFormat()
  const { guard, refused } = useDemoGuard()
  const remove = useMutation({
    mutationFn: () => api.users.correct_contact({ id: person.uid, version: person.version, mobile: null }),
    onSuccess: async () => {
      announce(t('people.collision_removed', { name: personName(person) }))
      await queryClient.invalidateQueries({ queryKey: orpc.users.phoneCollisions.key() })
    },
  })
  return (
    <li className={classes.holder}>
      <span className={classes.holderText}>
        <strong>
          <bdi>{personName(person)}</bdi>
        </strong>
        {' · '}
        {t(`people.type_${person.usertype}`)}
        {' · '}
        {format.date(person.createdAt)}
        <br />
        <Ltr>{person.email}</Ltr>
        {' · '}
        <Ltr>{person.mobile ?? ''}</Ltr>
      </span>
      <Button
        size="small"
        busy={remove.isPending}
        onClick={() => guard('users.correct_contact', () => remove.mutate())}
      >
        {t('people.collision_remove')}
      </Button>
      {remove.isError ? (
        <Notice tone="bad">
          <ErrorMessage error={remove.error} />
        </Notice>
      ) : null}
      {refused}
    </li>
  )
}
