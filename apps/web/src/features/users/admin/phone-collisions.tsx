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
import { userName } from './user-mark.tsx'
import classes from './users.module.css'

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
          <span>{t('users.collisions', { count: data.length })}</span>
          <Button size="small" onClick={() => setOpen(true)}>
            {t('users.collisions_open')}
          </Button>
        </div>
      </Notice>
      {open ? (
        <Dialog open onClose={() => setOpen(false)} title={t('users.collisions_title')} width={620}>
          <p className={classes.collisionText}>{t('users.collisions_text')}</p>
          {data.map(({ mobile, people }) => (
            <section key={mobile} className={classes.collision} aria-label={mobile}>
              <h3>
                <Ltr>{mobile}</Ltr>
              </h3>
              <ul>
                {people.map((user) => (
                  <Holder key={user.uid} user={user} />
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
function Holder({ user }: { user: UserView }) {
  const { t } = useText()
  const format = useFormat()
  const { guard, refused } = useDemoGuard()
  const remove = useMutation({
    mutationFn: () => api.users.correct_contact({ id: user.uid, version: user.version, mobile: null }),
    onSuccess: async () => {
      announce(t('users.collision_removed', { name: userName(user) }))
      await queryClient.invalidateQueries({ queryKey: orpc.users.phoneCollisions.key() })
    },
  })
  return (
    <li className={classes.holder}>
      <span className={classes.holderText}>
        <strong>
          <bdi>{userName(user)}</bdi>
        </strong>
        {' · '}
        {t(`users.type_${user.usertype}`)}
        {' · '}
        {format.date(user.createdAt)}
        <br />
        <Ltr>{user.email}</Ltr>
        {' · '}
        <Ltr>{user.mobile ?? ''}</Ltr>
      </span>
      <Button
        size="small"
        busy={remove.isPending}
        onClick={() => guard('users.correct_contact', () => remove.mutate())}
      >
        {t('users.collision_remove')}
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
