import type { BookingView } from '@hansom/contract/bookings'
import type { SafetyState } from '@hansom/contract/safety'
import type { LatLng } from '@hansom/domain/geo/point'
import { safetyLimits } from '@hansom/domain/safety/checks'
import { emergencyNumber } from '@hansom/domain/safety/emergency-numbers'
import { mayPanic, type SafetyAnswer } from '@hansom/domain/safety/event'
import { IconPhone } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { callAttention } from '../../lib/alert.ts'
import { api } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { HoldButton } from './hold-button.tsx'
import classes from './safety.module.css'
import { useSendPanic } from './send-panic.ts'

interface Props {
  view: Pick<BookingView, 'id' | 'status'>
  own: LatLng | null
}

/** The question whether all is well, what became of an alarm, and the panic button beside the emergency number. */
export function SafetyPanel({ view, own }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const { data } = useLive('safety', view.id)
  const panic = useSendPanic(view.id, own)
  const hasButton = mayPanic(view.status, settings)
  const { question = null, alarm = null } = data ?? {}
  if (!hasButton && !question && !alarm) return null
  const number = emergencyNumber(settings.country)
  return (
    <section className={classes.safety} aria-label={t('safety.section')}>
      {question ? <Question key={question.id} id={view.id} question={question} /> : null}
      {alarm ? (
        <Notice tone="attention">{t(alarm.acknowledged ? 'safety.alarm_taken' : 'safety.alarm_sent')}</Notice>
      ) : panic.isPending ? (
        <Notice tone="attention">{t('safety.panic_sending')}</Notice>
      ) : null}
      {panic.error ? (
        <p role="alert">
          <ErrorMessage error={panic.error} />
        </p>
      ) : null}
      {hasButton ? (
        <>
          <div className={classes.buttons}>
            <HoldButton
              label={t('safety.panic')}
              again={t('safety.panic_again')}
              busy={panic.isPending}
              onConfirm={() => panic.mutate()}
            />
            <a className={buttonClass({ size: 'large' })} href={`tel:${number}`}>
              <IconPhone size={20} aria-hidden />
              {t('safety.emergency', { number })}
            </a>
          </div>
          <p className={classes.hint}>
            {t('safety.panic_hint')} {t('safety.emergency_hint')}
          </p>
        </>
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
  const format = useFormat()
  const titleId = useId()
  const answer = useMutation({
    mutationFn: (given: SafetyAnswer) => api.safety.answer({ id, event: question.id, answer: given }),
  })
  useEffect(() => callAttention('alarm'), [])
  const given = answer.isSuccess ? answer.variables : question.answer
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a dialog element would block the trip's steps
    <div role="alertdialog" aria-labelledby={titleId} aria-modal="false" className={classes.question}>
      <h2 id={titleId} className={classes.title}>
        {t('safety.question_title')}
      </h2>
      <p>{t(`safety.question_${question.kind}`)}</p>
      {given === 'fine' ? (
        <output>{t('safety.fine_noted')}</output>
      ) : (
        <p className={classes.hint}>
          {t('safety.question_next', { minutes: format.number(safetyLimits.answerMs / 60_000) })}
        </p>
      )}
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
