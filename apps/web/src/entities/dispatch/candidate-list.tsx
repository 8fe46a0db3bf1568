import type { Candidate } from '@hansom/contract/dispatch'
import { bestCandidate } from '@hansom/domain/dispatch/board'
import { IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import classes from './candidate-list.module.css'
import { stepFocus } from './step-focus.ts'

/** True for a driver who can be assigned, now or as the next trip. */
export const isAssignable = ({ blocked }: Candidate) => blocked !== 'debt'

interface PickerProps {
  booking: string
  value: string | undefined
  /** Undefined while the chosen driver cannot be assigned. */
  onChange: (driver: Candidate | undefined) => void
}

/** The drivers who could take a booking, as a field; the best is chosen at first. */
export function CandidatePicker({ booking, value, onChange }: PickerProps) {
  const { t } = useText()
  const [shown, setShown] = useState<string | null>(null)
  const query = useQuery({
    ...orpc.dispatch.candidates.queryOptions({ input: { id: booking } }),
    staleTime: 0,
    gcTime: 0,
  })
  const candidates = query.data
  const choose = (id: string) => {
    setShown(id)
    onChange(candidates?.find((candidate) => candidate.id === id && isAssignable(candidate)))
  }
  const best = candidates && bestCandidate(candidates)
  useEffect(() => {
    if (best) onChange(best)
    // Only the first answer chooses for the user.
  }, [best === undefined])
  if (query.isError) {
    return (
      <Notice tone="bad">
        <ErrorMessage error={query.error} />
      </Notice>
    )
  }
  if (!candidates) return <LoadingState rows={3} height="60px" />
  if (candidates.length === 0) return <p className={classes.none}>{t('dispatch.candidates_none')}</p>
  const chosen = candidates.find(({ id }) => id === (value ?? shown))
  return (
    <>
      <CandidateList candidates={candidates} chosen={chosen?.id ?? null} onChoose={choose} />
      <CandidateHint candidate={chosen} />
    </>
  )
}

/** What assigning the chosen driver means, if it is not the usual case. */
export function CandidateHint({ candidate }: { candidate: Candidate | undefined }) {
  const { t } = useText()
  const format = useFormat()
  if (!candidate) return null
  const { blocked, freeS } = candidate
  return (
    <>
      {blocked === 'declined' ? <p className={classes.none}>{t('dispatch.declined_text')}</p> : null}
      {freeS > 0 ? (
        <p className={classes.none}>
          {t('dispatch.soon_text', { duration: isolated(format.duration(freeS)) })}
        </p>
      ) : null}
    </>
  )
}

interface Props {
  candidates: readonly Candidate[]
  chosen: string | null
  onChoose: (id: string) => void
  /** Enter on the chosen driver. */
  onConfirm?: () => void
}

/** The drivers who could take a booking, by travel time; numbered as on the map. Arrow keys choose. */
export function CandidateList({ candidates, chosen, onChoose, onConfirm }: Props) {
  const { t } = useText()
  const tabStop = candidates.some(({ id }) => id === chosen) ? chosen : candidates[0]?.id
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && onConfirm) {
      event.preventDefault()
      onConfirm()
      return
    }
    const next = stepFocus(event)
    if (next?.dataset.id) onChoose(next.dataset.id)
  }
  return (
    <div
      role="radiogroup"
      tabIndex={-1}
      className={classes.list}
      aria-label={t('dispatch.candidates')}
      onKeyDown={onKeyDown}
    >
      {candidates.map((candidate, index) => (
        <button
          key={candidate.id}
          type="button"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Enter assigns, and a whole row is the target
          role="radio"
          data-id={candidate.id}
          data-step
          className={classes.candidate}
          aria-checked={candidate.id === chosen}
          tabIndex={candidate.id === tabStop ? 0 : -1}
          onClick={() => onChoose(candidate.id)}
        >
          <CandidateText candidate={candidate} place={index + 1} />
        </button>
      ))}
    </div>
  )
}

function CandidateText({ candidate, place }: { candidate: Candidate; place: number }) {
  const { t } = useText()
  const format = useFormat()
  const { name, vehicle_number, rating, arrivalS, freeS, km, asked, blocked } = candidate
  return (
    <>
      <span className={classes.place}>{format.number(place)}</span>
      <span className={classes.words}>
        <span className={classes.name}>
          <bdi>{name}</bdi>
        </span>
        <span className={classes.detail}>
          {vehicle_number ? <Ltr>{vehicle_number}</Ltr> : null}
          {rating === null ? null : (
            <span className={classes.rating}>
              <IconStarFilled size={12} aria-hidden />
              {format.rating(rating)}
            </span>
          )}
          <span>{format.distance(km)}</span>
        </span>
        {freeS > 0 ? (
          <span className={classes.tag}>{t('dispatch.soon_free', { duration: format.duration(freeS) })}</span>
        ) : null}
        {asked ? (
          <span className={classes.tag}>
            {t(asked === 'this' ? 'dispatch.asked_this' : 'dispatch.asked_other_booking')}
          </span>
        ) : null}
        {blocked ? (
          <span className={classes.tag} data-tone={blocked === 'debt' ? 'bad' : undefined}>
            {t(`dispatch.blocked_${blocked}`)}
          </span>
        ) : null}
      </span>
      <span className={classes.time}>{format.duration(arrivalS)}</span>
    </>
  )
}
