import type { CheckoutView } from '@hansom/contract/payments'
import { EmbeddedStep } from './embedded-step.tsx'
import { FormStep } from './form-step.tsx'
import { RedirectStep } from './redirect-step.tsx'
import { TestStep } from './test-step.tsx'
import { useOwnDocument } from './use-own-document.ts'

interface Props {
  view: CheckoutView
  step: NonNullable<CheckoutView['step']>
  /** A page of ours has handed over what it made. */
  onHandedOver: () => void
}

/** What the payer's browser does next. */
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
