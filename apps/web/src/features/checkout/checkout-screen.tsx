import type { CheckoutView } from '@hansom/contract/payments'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { ProviderMark } from '../../entities/payments/provider-mark.tsx'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import classes from './checkout.module.css'
import { Failed, Lapsed, Mismatch, Paid } from './outcomes.tsx'
import { rememberRedirect, wasRedirected } from './provider-handoff.tsx'
import { Step } from './step.tsx'
import { type CheckoutScene, sceneOf, useCheckout } from './use-checkout.ts'
import { Waiting } from './waiting.tsx'

/** The providers that can take the order, the last one tried first. */
export type Chooser = (order: string, tried: string) => ReactNode

/** One attempt to pay by card: performs its step, then shows the result. */
export function CheckoutScreen({ chooser }: { chooser: Chooser }) {
  const { payment } = useParams({ from: '/app/checkout/$provider/$payment' })
  return <CheckoutPage key={payment} payment={payment} chooser={chooser} />
}

function CheckoutPage({ payment, chooser }: { payment: string; chooser: Chooser }) {
  const { t } = useText()
  const { view, error, retry } = useCheckout(payment)
  const [redirected, setRedirected] = useRedirected(payment)
  const [insists, setInsists] = useState(false)
  const scene = view ? sceneOf(view, { wasRedirected: redirected, insists }) : null
  usePageTitle(t(scene ? `payments.scene_${scene}` : 'payments.scene_step'))
  const card = useSceneNews(scene)
  if (!view || !scene) return <CheckoutAbsent error={error} onRetry={retry} />
  return (
    <div className={classes.page}>
      <article ref={card} className={classes.card} data-scene={scene}>
        <CheckoutHead view={view} />
        <Scene
          scene={scene}
          view={view}
          chooser={chooser}
          onRedirected={setRedirected}
          onInsist={() => setInsists(true)}
        />
      </article>
    </div>
  )
}

interface SceneProps {
  scene: CheckoutScene
  view: CheckoutView
  chooser: Chooser
  /** True after one of our pages has submitted something; false to show it again. */
  onRedirected: (redirected: boolean) => void
  /** The payer continues although nothing is due. */
  onInsist: () => void
}

function Scene({ scene, view, chooser, onRedirected, onInsist }: SceneProps) {
  switch (scene) {
    case 'step':
      return view.step ? <Step view={view} step={view.step} onHandedOver={() => onRedirected(true)} /> : null
    case 'lapsed':
      return <Lapsed view={view} onInsist={onInsist} />
    case 'waiting':
      return <Waiting view={view} onAgain={() => onRedirected(false)} />
    case 'paid':
    case 'in_wallet':
      return <Paid view={view} />
    case 'mismatch':
      return <Mismatch view={view} />
    default:
      return <Failed view={view}>{chooser(view.order, view.provider)}</Failed>
  }
}

/** True if this window was sent to the provider before, for example before a Back. */
function useRedirected(payment: string): [redirected: boolean, set: (redirected: boolean) => void] {
  const [redirected, setRedirected] = useState(() => wasRedirected(payment))
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => {
      if (event.persisted) setRedirected(wasRedirected(payment))
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [payment])
  const set = (next: boolean) => {
    if (next) rememberRedirect(payment)
    setRedirected(next)
  }
  return [redirected, set]
}

/**
 * Announces the next scene. Moves the focus to its heading if it was in the previous scene, whose button is gone;
 * otherwise uses a polite announcement.
 */
function useSceneNews(scene: CheckoutScene | null): RefObject<HTMLElement | null> {
  const { t } = useText()
  const card = useRef<HTMLElement>(null)
  const shown = useRef(scene)
  useEffect(() => {
    const before = shown.current
    shown.current = scene
    if (scene === null || before === scene || (before === null && scene === 'step')) return
    const heading = card.current?.querySelector('h1')
    const isElsewhere = document.activeElement !== document.body
    if (before === null || isElsewhere || !heading) return announce(t(`payments.scene_${scene}`))
    heading.tabIndex = -1
    heading.focus()
  }, [scene, t])
  return card
}

function CheckoutAbsent({ error, onRetry }: { error: { status: number } | null; onRetry: () => void }) {
  const { t } = useText()
  return (
    <div className={classes.page}>
      {error === null ? <LoadingState rows={3} height="80px" /> : null}
      {error && error.status < 500 && error.status !== 0 ? (
        <EmptyState
          heading="h1"
          title={t('payments.absent')}
          action={
            <a href="/bookings" className={buttonClass({ variant: 'primary' })}>
              {t('payments.to_bookings')}
            </a>
          }
        >
          {t('payments.absent_text')}
        </EmptyState>
      ) : null}
      {error && (error.status >= 500 || error.status === 0) ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : null}
    </div>
  )
}

/** What is paid for, the amount and the provider. */
function CheckoutHead({ view }: { view: CheckoutView }) {
  const { t } = useText()
  return (
    <header className={classes.head}>
      <ProviderMark name={view.provider} />
      <div className={classes.what}>
        <p className={classes.amount}>
          <Money amount={view.amount} />
        </p>
        <p className={classes.order}>
          {view.booking_id ? (
            <>
              {t('payments.for_trip')} <Ltr>{view.booking_id}</Ltr>
            </>
          ) : (
            t('payments.for_wallet')
          )}
          {' · '}
          <bdi>{t(`payments.provider_${view.provider}`)}</bdi>
        </p>
      </div>
      {view.live ? null : <span className={classes.sandbox}>{t('payments.sandbox')}</span>}
    </header>
  )
}
