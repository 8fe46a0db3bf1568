import type { UserView } from '@hansom/contract/users'
import { useState } from 'react'
import classes from './people.module.css'

/** The name as it is read. */
export function personName({ firstName, lastName }: Pick<UserView, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim()
}

/** A person's picture, or the first letters, with the name beside. */
export function PersonMark({ person }: { person: UserView }) {
  return (
    <span className={classes.mark}>
      <Picture person={person} />
      <bdi className={classes.name}>{personName(person)}</bdi>
    </span>
  )
}

/** The picture alone, round; the first letters where there is none. */
export function Picture({ person, size = 32 }: { person: UserView; size?: number }) {
  const [failed, setFailed] = useState(false)
  const letters = [person.firstName, person.lastName].map((word) => word.trim()[0] ?? '').join('')
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
        letters.toLocaleUpperCase()
      )}
    </span>
  )
}
