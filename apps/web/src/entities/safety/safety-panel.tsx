import type { BookingView } from '@hansom/contract/bookings'
import type { SafetyState } from '@hansom/contract/safety'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { LatLng } from '@hansom/domain/geo/point'
import { safetyLimits } from '@hansom/domain/safety/checks'
import { emergencyNumber } from '@hansom/domain/safety/emergency-numbers'
import { countsPanic, type SafetyAnswer } from '@hansom/domain/safety/event'
import { IconPhone } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { callAttention } from '../../lib/alert.ts'
import { api } from '../../lib/api.ts'
import { useServerNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { HoldButton } from './hold-button.tsx'
import classes from './safety.module.css'
import { untilAnswered, useSendPanic } from './send-panic.ts'

/** What the panel needs of a booking. */
export type SafetyView = Pick<BookingView, 'id' | 'status'>

const isNumber = (stored: unknown): stored is number => typeof stored === 'number'

interface Props {
  view: SafetyView
  own: LatLng | null
  /** When the trip ended, or lost its driver, epoch ms; null before. */
  endedAt: number | null
  /** Without the explanation, where a driver needs the room. */
  isBrief?: boolean
}

/** The question whether all is well, what became of an alarm, and the panic button beside the emergency number. */
export function SafetyPanel({ view, own, endedAt, isBrief = false }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const { data } = useLive('safety', view.id)
  const panic = useSendPanic(view.id, own)
  const now = useServerNow(10_000)
  const { question = null } = data ?? {}
  const [dismissed, dismiss] = useStoredState('hansom-alarm-closed', 0, isNumber)
  const closedAt = data?.alarm?.closed_at ?? null
  const isClosedShown = closedAt !== null && closedAt > dismissed && isOneOf(drivingStatuses, view.status)
  const alarm = closedAt === null ? (data?.alarm ?? null) : null
  const hasButton = countsPanic({ status: view.status, endedAt }, settings, now)
  const isRide = settings.category === 'taxi' && isOneOf(drivingStatuses, view.status)
  // The number does not depend on our own button.
  const number = hasButton || isRide || question || alarm ? emergencyNumber(settings.country) : null
  if (!hasButton && !question && !alarm && !isClosedShown && number === null && !panic.isPending) return null
  return (
    <section className={classes.safety} aria-label={t('safety.section')}>
      {question ? <Question key={question.id} id={view.id} question={question} /> : null}
      {alarm ? (
        <Notice tone="attention">{t(alarm.acknowledged ? 'safety.alarm_taken' : 'safety.alarm_sent')}</Notice>
      ) : panic.isPending ? (
        <Notice tone="attention">{t('safety.panic_sending')}</Notice>
      ) : isClosedShown ? (
        <Notice tone="plain">
          <p className={classes.closed}>
            {t('safety.alarm_closed')}
            <Button size="small" onClick={() => dismiss(closedAt)}>
              {t('common.close')}
            </Button>
          </p>
        </Notice>
      ) : null}
      {panic.error ? (
        <p role="alert">
          <ErrorMessage error={panic.error} />
        </p>
      ) : null}
      {hasButton || number ? (
        <div className={classes.help}>
          {hasButton ? (
            <HoldButton
              label={t(alarm ? 'safety.panic_repeat' : 'safety.panic')}
              again={t('safety.panic_again')}
              busy={panic.isPending}
              onConfirm={() => panic.mutate()}
            />
          ) : null}
          {number ? (
            <a
              className={buttonClass({ size: 'large' })}
              href={`tel:${number}`}
              aria-label={t('safety.emergency', { number })}
            >
              <IconPhone size={20} aria-hidden />
              <bdi>{hasButton ? number : t('safety.emergency', { number })}</bdi>
            </a>
          ) : null}
        </div>
      ) : null}
      {hasButton && !isBrief ? (
        <p className={classes.hint}>
          {t('safety.panic_hint')} {number ? t('safety.emergency_hint') : null}
        </p>
      ) : null}
    </section>
  )
}

interface QuestionProps {
  id: string
  question: NonNullable<SafetyState['question']>
}

/** Asks without blocking the trip's steps. */
function Question({ id, question }: QuestionProps) {
  const { t } = useText()
  const titleId = useId()
  const answer = useMutation({
    ...untilAnswered(useMe()?.uid),
    mutationFn: (given: SafetyAnswer) => api.safety.answer({ id, event: question.id, answer: given }),
  })
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
    callAttention('alarm')
  }, [])
  const given = answer.isSuccess ? answer.variables : question.answer
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a dialog element would block the trip's steps
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-modal="false"
      className={classes.question}
    >
      <h2 id={titleId} className={classes.title}>
        {t('safety.question_title')}
      </h2>
      <p>{t(`safety.question_${question.kind}`)}</p>
      {given === 'fine' ? (
        <output>{t('safety.fine_noted')}</output>
      ) : (
        <p className={classes.hint}>{t('safety.question_next', { count: safetyLimits.answerMs / 60_000 })}</p>
      )}
      {answer.isPending && answer.failureCount > 0 ? <output>{t('safety.panic_sending')}</output> : null}
      {answer.error ? (
        <p role="alert">
          <ErrorMessage error={answer.error} />
        </p>
      ) : null}
      <div className={classes.buttons}>
        {given === 'fine' ? null : (
          <Button
            variant="primary"
            size="large"
            busy={answer.isPending && answer.variables === 'fine'}
            onClick={() => answer.mutate('fine')}
          >
            {t('safety.fine')}
          </Button>
        )}
        <Button
          variant="danger"
          size="large"
          busy={answer.isPending && answer.variables === 'help'}
          onClick={() => answer.mutate('help')}
        >
          {t('safety.help')}
        </Button>
      </div>
    </div>
  )
}
