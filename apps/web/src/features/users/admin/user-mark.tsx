import type { UserView } from '@hansom/contract/users'
import { useState } from 'react'
import classes from './users.module.css'

/** First and last name. */
export function userName({ firstName, lastName }: Pick<UserView, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim()
}

/** A user's picture or initials, with the name. */
export function UserMark({ user }: { user: UserView }) {
  return (
    <span className={classes.mark}>
      <Picture user={user} />
      <bdi className={classes.name}>{userName(user)}</bdi>
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
