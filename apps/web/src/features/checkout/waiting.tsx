import type { CheckoutView } from '@hansom/contract/payments'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './checkout.module.css'
import { BackLink, ProviderForm, useOwnDocument } from './provider-handoff.tsx'
import { storeCheckout } from './use-checkout.ts'

/** The provider has the attempt, or the payer came back without a result: polls it and offers ways to continue. */
export function Waiting({ view, onAgain }: { view: CheckoutView; onAgain: () => void }) {
  const { t } = useText()
  const provider = isolated(t(`payments.provider_${view.provider}`))
  const giveUp = useMutation({
    mutationFn: () =>
      idempotentCall('give_up', { id: view.id }, ({ id }, options) =>
        api.payments.giveUp({ payment: id }, options),
      ),
    onSuccess: storeCheckout,
  })
  const isPending = view.state === 'pending'
  return (
    <div className={classes.scene}>
      <span className={classes.asking} aria-hidden>
        <span />
        <span />
        <span />
      </span>
      <h1 className={classes.title}>
        {t(isPending ? 'payments.pending_title' : 'payments.asking_title', { provider })}
      </h1>
      <output className={classes.text}>
        {t(isPending ? 'payments.pending_text' : 'payments.asking_text', { provider })}
      </output>
      {view.lapsed ? (
        <Notice tone="plain">
          <span>{t('payments.lapsed_text')}</span>
        </Notice>
      ) : null}
      {giveUp.error ? (
        <Notice tone="bad">
          <span>
            <ErrorMessage error={giveUp.error} />
          </span>
        </Notice>
      ) : null}
      <div className={classes.actions}>
        {view.step ? <GoOn view={view} step={view.step} onAgain={onAgain} /> : null}
        <BackLink view={view} look={{ wide: true }} />
        <Button variant="quiet" wide busy={giveUp.isPending} onClick={() => giveUp.mutate()}>
          {t('payments.give_up')}
        </Button>
      </div>
    </div>
  )
}

interface GoOnProps {
  view: CheckoutView
  step: NonNullable<CheckoutView['step']>
  onAgain: () => void
}

/** Repeats the step on request. */
function GoOn({ view, step, onAgain }: GoOnProps) {
  const { t } = useText()
  const isOwn = useOwnDocument(step.kind === 'form')
  const words = t('payments.continue_at', { provider: isolated(t(`payments.provider_${view.provider}`)) })
  if (step.kind === 'redirect') {
    return (
      <a href={step.url} className={buttonClass({ variant: 'primary', size: 'large', wide: true })}>
        {words}
      </a>
    )
  }
  if (step.kind === 'page') {
    return (
      <Button variant="primary" size="large" wide onClick={onAgain}>
        {words}
      </Button>
    )
  }
  if (!isOwn) return null
  return (
    <ProviderForm action={step.action} fields={step.fields} onGo={() => {}}>
      <Button type="submit" variant="primary" size="large" wide>
        {words}
      </Button>
    </ProviderForm>
  )
}
