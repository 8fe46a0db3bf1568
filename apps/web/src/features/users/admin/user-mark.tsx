import type { UserView } from '@hansom/contract/users'
import { type Approval, approvalOf } from '@hansom/domain/users/profile'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import classes from './users.module.css'

/** First and last name. */
export function userName({ firstName, lastName }: Pick<UserView, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim()
}

const approvalLooks: Record<Approval, string | undefined> = {
  approved: classes.good,
  waiting: classes.waiting,
  rejected: classes.rejected,
}

/** Whether the account may be used: approved, waiting or rejected. */
export function ApprovalChip({ user }: { user: Pick<UserView, 'approved' | 'rejection'> }) {
  const { t } = useText()
  const approval = approvalOf(user)
  return <span className={approvalLooks[approval]}>{t(`users.is_${approval}`)}</span>
}

/** A user's picture or initials, with the name. */
export function UserMark({ user }: { user: UserView }) {
  const { t } = useText()
  return (
    <span className={classes.mark}>
      <Picture user={user} />
      <bdi className={classes.name}>{userName(user)}</bdi>
      {user.guest ? <span className={classes.guest}>{t('users.is_guest')}</span> : null}
    </span>
  )
}

/** The round picture, or the initials without one. */
export function Picture({ user, size = 32 }: { user: UserView; size?: number }) {
  const [failed, setFailed] = useState(false)
  const initials = [user.firstName, user.lastName].map((word) => word.trim()[0] ?? '').join('')
  return (
    <span className={classes.picture} style={{ inlineSize: size, blockSize: size }} aria-hidden>
      {user.profile_image && !failed ? (
        <img
          src={user.profile_image}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          onError={() => setFailed(true)}
        />
      ) : (
        initials.toLocaleUpperCase()
      )}
    </span>
  )
}
