import type { UserView } from '@hansom/contract/users'
import { useState } from 'react'
import classes from './people.module.css'

/** First and last name. */
export function personName({ firstName, lastName }: Pick<UserView, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim()
}

/** A user's picture or initials, with the name. */
export function PersonMark({ person }: { person: UserView }) {
  return (
    <span className={classes.mark}>
      <Picture person={person} />
      <bdi className={classes.name}>{personName(person)}</bdi>
    </span>
  )
}

/** The round picture, or the initials without one. */
export function Picture({ person, size = 32 }: { person: UserView; size?: number }) {
  const [failed, setFailed] = useState(false)
  const initials = [person.firstName, person.lastName].map((word) => word.trim()[0] ?? '').join('')
  return (
    <span className={classes.picture} style={{ inlineSize: size, blockSize: size }} aria-hidden>
      {person.profile_image && !failed ? (
        <img
          src={person.profile_image}
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
