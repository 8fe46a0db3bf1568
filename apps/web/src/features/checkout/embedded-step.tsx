import type { CheckoutView } from '@hansom/contract/payments'
import { useEffect, useRef, useState } from 'react'
import { useColorScheme } from '../../lib/color-scheme.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import classes from './checkout.module.css'
import {
  type EmbeddedError,
  type EmbeddedForm,
  EmbeddedUnreachable,
  type MountEmbedded,
} from './embedded/port.ts'
import { BackLink, useLeaveDocument } from './provider-handoff.tsx'
import { useComplete } from './use-checkout.ts'

interface Props {
  view: CheckoutView
  data: Record<string, string>
  onHandedOver: () => void
}

/** A provider's card form in our page. Card data goes to the provider only; we get a token. */
export function EmbeddedStep({ view, data, onHandedOver }: Props) {
  const { t, language } = useText()
  useLeaveDocument()
  const format = useFormat()
  const { appName } = useSettings()
  const isDark = useColorScheme() === 'dark'
  const host = useRef<HTMLDivElement>(null)
  const [form, setForm] = useState<EmbeddedForm | null>(null)
  const [problem, setProblem] = useState<EmbeddedError | null>(null)
  const [turn, setTurn] = useState(0)
  const complete = useComplete(view.id, {
    onHandedOver,
    onChallenge: (challenge) => form?.prove(challenge),
  })
  const handOver = useRef(complete.mutate)
  handOver.current = complete.mutate
  const pay = t('payments.pay_amount', { amount: isolated(format.money(view.amount)) })
  const words = useRef({ pay, appName, t })
  words.current = { pay, appName, t }
  const dataText = JSON.stringify(data)

  // The form survives updates of the page, because it holds what was typed. Only a new theme or language needs a new one.
  useEffect(() => {
    const place = host.current
    if (!place) return
    let isGone = false
    let mounted: EmbeddedForm | null = null
    const { t: say } = words.current
    setProblem(null)
    setForm(null)
    loadEmbedded(view.provider)
      .then((mount) =>
        mount(JSON.parse(dataText) as Record<string, string>, place, {
          locale: language.langLocale,
          texts: {
            title: words.current.appName,
            cardNumber: say('payments.card_number'),
            expiry: say('payments.card_expiry'),
            securityCode: say('payments.card_code'),
            pay: words.current.pay,
          },
          onToken: (input) => {
            setProblem(null)
            handOver.current(input)
          },
          onError: setProblem,
        }),
      )
      .then(
        (ready) => {
          if (isGone) return ready.close()
          mounted = ready
          setForm(ready)
        },
        () => {
          if (!isGone) setProblem('unreachable')
        },
      )
    return () => {
      isGone = true
      mounted?.close()
    }
  }, [view.provider, dataText, isDark, language.langLocale, turn])

  const isLost = problem === 'unreachable' && form === null
  return (
    <div className={classes.scene}>
      <h1 className={classes.title}>{t('payments.card_title')}</h1>
      <p className={classes.text}>
        {t('payments.card_text', { provider: isolated(t(`payments.provider_${view.provider}`)) })}
      </p>
      {form === null && !isLost ? <LoadingState rows={2} height="56px" /> : null}
      <div ref={host} className={classes.host} />
      {problem ? (
        <Notice tone="bad">
          <span>{t(`payments.card_${problem}`)}</span>
        </Notice>
      ) : null}
      {complete.error ? (
        <Notice tone="bad">
          <span>
            <ErrorMessage error={complete.error} />
          </span>
        </Notice>
      ) : null}
      <div className={classes.actions}>
        {isLost ? (
          <Button variant="primary" size="large" wide onClick={() => setTurn((now) => now + 1)}>
            {t('common.retry')}
          </Button>
        ) : (
          <Button
            variant="primary"
            size="large"
            wide
            disabled={form === null}
            busy={complete.isPending}
            onClick={() => form?.submit()}
          >
            {pay}
          </Button>
        )}
        <BackLink view={view} look={{ variant: 'quiet', wide: true }} />
      </div>
    </div>
  )
}

const modules: Readonly<Record<string, () => Promise<MountEmbedded>>> = {
  braintree: () => import('./embedded/braintree.ts').then((module) => module.mountBraintree),
  culqi: () => import('./embedded/culqi.ts').then((module) => module.mountCulqi),
}

/** Loads the card form of a provider that is embedded in our page. Rejects with EmbeddedUnreachable. */
async function loadEmbedded(provider: string): Promise<MountEmbedded> {
  const load = modules[provider]
  if (!load) throw new EmbeddedUnreachable()
  return load().catch((cause: unknown) => {
    throw new EmbeddedUnreachable(cause)
  })
}
