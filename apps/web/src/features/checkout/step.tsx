import type { CheckoutView } from '@hansom/contract/payments'
import { type ReactNode, useEffect, useRef } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './checkout.module.css'
import { EmbeddedStep } from './embedded-step.tsx'
import {
  BackLink,
  ProviderForm,
  rememberRedirect,
  useOwnDocument,
  wasRedirected,
} from './provider-handoff.tsx'
import { useComplete } from './use-checkout.ts'

interface Props {
  view: CheckoutView
  step: NonNullable<CheckoutView['step']>
  /** Called after one of our pages has submitted its result. */
  onHandedOver: () => void
}

/** The payer's next step. */
export function Step({ view, step, onHandedOver }: Props) {
  const isTest = view.provider === 'test'
  const isOwn = useOwnDocument(step.kind !== 'redirect' && !isTest)
  if (step.kind === 'redirect') return <RedirectStep view={view} url={step.url} />
  if (isTest) return <TestStep view={view} onHandedOver={onHandedOver} />
  if (!isOwn) return null
  return step.kind === 'form' ? (
    <FormStep view={view} action={step.action} fields={step.fields} />
  ) : (
    <EmbeddedStep view={view} data={step.data} onHandedOver={onHandedOver} />
  )
}

interface PropsFormStep {
  view: CheckoutView
  action: string
  fields: readonly { name: string; value: string }[]
}

/** Posts the signed form to the provider, with a button in case the browser does not. */
export function FormStep({ view, action, fields }: PropsFormStep) {
  const { t } = useText()
  const { id } = view
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!wasRedirected(id)) form.current?.requestSubmit()
  }, [id])
  return (
    <OnTheWay view={view}>
      <ProviderForm ref={form} action={action} fields={fields} onGo={() => rememberRedirect(id)}>
        <Button type="submit" variant="primary" size="large" wide>
          {t('payments.continue_at', { provider: isolated(t(`payments.provider_${view.provider}`)) })}
        </Button>
      </ProviderForm>
    </OnTheWay>
  )
}

/** Redirects to the provider's page, with a link in case the browser does not. */
function RedirectStep({ view, url }: { view: CheckoutView; url: string }) {
  const { t } = useText()
  const { id } = view
  useEffect(() => {
    if (wasRedirected(id)) return
    rememberRedirect(id)
    location.replace(url)
  }, [id, url])
  return (
    <OnTheWay view={view}>
      <a
        href={url}
        className={`${buttonClass({ variant: 'primary', size: 'large', wide: true })} ${classes.action}`}
        onClick={() => rememberRedirect(id)}
      >
        {t('payments.continue_at', { provider: isolated(t(`payments.provider_${view.provider}`)) })}
      </a>
    </OnTheWay>
  )
}

/** Shown during the redirect to the provider; the children are the manual alternative. */
function OnTheWay({ view, children }: { view: CheckoutView; children: ReactNode }) {
  const { t } = useText()
  const provider = isolated(t(`payments.provider_${view.provider}`))
  return (
    <div className={classes.scene}>
      <h1 className={classes.title}>{t('payments.leading_to', { provider })}</h1>
      <output className={classes.text}>{t('payments.leading_to_text')}</output>
      {children}
    </div>
  )
}

const decisions = ['approve', 'decline', 'leave_pending'] as const

/** The test provider's page: produces the answers of a real one. No money moves. */
function TestStep({ view, onHandedOver }: { view: CheckoutView; onHandedOver: () => void }) {
  const { t } = useText()
  const complete = useComplete(view.id, { onHandedOver })
  const given = complete.isPending ? complete.variables.decision : null
  return (
    <div className={classes.scene}>
      <h1 className={classes.title}>{t('payments.test_title')}</h1>
      <p className={classes.testNote}>{t('payments.test_text')}</p>
      {complete.error ? (
        <Notice tone="bad">
          <span>
            <ErrorMessage error={complete.error} />
          </span>
        </Notice>
      ) : null}
      <div className={classes.actions}>
        {decisions.map((decision) => (
          <Button
            key={decision}
            wide
            size="large"
            variant={decision === 'approve' ? 'primary' : 'secondary'}
            busy={given === decision}
            disabled={given !== null && given !== decision}
            onClick={() => complete.mutate({ decision })}
          >
            {t(`payments.test_${decision}`)}
          </Button>
        ))}
        <BackLink view={view} look={{ variant: 'quiet', wide: true }} />
      </div>
    </div>
  )
}
