import { ApiError } from '@hansom/client/api-error'
import type { ProofKind } from '@hansom/domain/deliveries/delivery'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { imageStore } from '../../lib/image-store.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import choiceClasses from '../../ui/choice.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-message.tsx'
import { latinDigits } from '../../ui/latin-digits.ts'
import { TextField } from '../../ui/text-field.tsx'
import { PhotoField } from './photo-field.tsx'
import own from './stop-list.module.css'
import { neededAt, type StopNeed, type StopView } from './stop-steps.ts'
import type { TakenImage, TakenStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

const SignatureField = lazy(() => import('./signature-field.tsx'))
const ScanCamera = lazy(() => import('./scan-camera.tsx'))

const codeLength = 4

interface Props {
  /** The step that the proofs belong to. */
  taken: TakenStep
  stop: StopView
  /** The number of parcels of the delivery. */
  parcels: number
  /** The server's refusal of an earlier try, if any. */
  refusal: StepRefusal | null
  onDone: (step: TakenStep) => void
  onClose: () => void
}

/** Asks for exactly the cash and the proofs that a stop needs. */
export default function ProofSheet({ taken, stop, parcels, refusal, onDone, onClose }: Props) {
  const { t } = useText()
  const format = useFormat()
  const uid = useMe()?.uid ?? ''
  const asked = neededAt(stop, useSettings())
  const [unsigned, setUnsigned] = useState(refusal?.step.unsigned ?? false)
  // Without a signature, the name is recorded.
  const needed: StopNeed[] = unsigned && !asked.includes('name') ? [...asked, 'name'] : asked
  const [name, setName] = useState(refusal?.step.name ?? '')
  const [code, setCode] = useState('')
  const [scan, setScan] = useState(refusal?.step.scan ?? '')
  const [images, setImages] = useState<Partial<Record<ProofKind, Blob>>>({})
  const [isPaid, setPaid] = useState(false)
  const [tried, setTried] = useState(false)
  const [saving, setSaving] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const isNeeded = (proof: StopNeed) => needed.includes(proof)
  const has: Record<StopNeed, boolean> = {
    cash: isPaid,
    // An image that was uploaded with a refused step is on the server already.
    photo: images.photo !== undefined || stop.photo !== null,
    signature: unsigned || images.signature !== undefined || stop.signature !== null,
    name: /\S/.test(name),
    code: code.length === codeLength,
    scan: /\S/.test(scan),
  }
  const missing = needed.filter((proof) => !has[proof])
  const problem = (proof: StopNeed) =>
    tried && missing.includes(proof) ? t(`courier.missing_${proof}`) : undefined

  const submit = async () => {
    setTried(true)
    if (missing.length > 0) {
      body.current?.querySelector<HTMLElement>(`[data-proof="${missing[0]}"] :is(input, canvas)`)?.focus()
      return
    }
    setSaving(true)
    const stored: TakenImage[] = []
    for (const [kind, image] of Object.entries(images)) {
      if (unsigned && kind === 'signature') continue
      stored.push({ kind: kind as ProofKind, file: await imageStore.put(uid, image) })
    }
    onDone({
      ...taken,
      ...(stop.collect === null ? {} : { cash: stop.collect }),
      ...(isNeeded('name') ? { name: name.trim() } : {}),
      ...(unsigned ? { unsigned } : {}),
      ...(isNeeded('code') ? { code } : {}),
      ...(isNeeded('scan') ? { scan: scan.trim() } : {}),
      ...(stored.length > 0 ? { images: stored } : {}),
    })
  }
  const refused = refusal ? errorText(refusal.error, t) : null
  const refusedField = fieldOf(refusal)
  // What the courier has to correct is in sight and has the focus.
  useEffect(() => {
    if (!refusedField) return
    const field = body.current?.querySelector<HTMLElement>(`[data-proof="${refusedField}"] input`)
    field?.focus({ preventScroll: true })
    field?.scrollIntoView({ block: 'center' })
  }, [refusedField])
  /** The refusal of a field, until its value is changed. */
  const refusalOf = (proof: 'code' | 'scan', isSame: boolean) =>
    refused && refusedField === proof && isSame ? refused : undefined

  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`courier.proof_title_${stop.kind}`, { person: stop.person ?? '' })}
      footer={
        <Button variant="primary" size="large" wide busy={saving} onClick={() => void submit()}>
          {t(confirmKeys[stop.kind])}
        </Button>
      }
    >
      <div ref={body} className={own.proofs}>
        {refused && !refusedField ? (
          <p className={own.problem} role="alert">
            {refused}
          </p>
        ) : null}
        {stop.kind === 'pickup' && parcels > 1 ? <p>{t('courier.parcels', { count: parcels })}</p> : null}
        {stop.collect === null ? null : (
          <Proof name="cash" label={t('courier.cash')} problem={problem('cash')}>
            <label className={choiceClasses.choice}>
              <input type="checkbox" checked={isPaid} onChange={({ target }) => setPaid(target.checked)} />
              <span>
                {t('courier.cash_taken', { amount: isolated(format.money(stop.collect)) })}
                <small>{t(stop.kind === 'pickup' ? 'courier.no_cash_pickup' : 'courier.no_cash_drop')}</small>
              </span>
            </label>
          </Proof>
        )}
        {isNeeded('photo') ? (
          <Proof name="photo" label={t('courier.photo')} problem={problem('photo')}>
            <PhotoField
              stored={stop.photo}
              photo={images.photo}
              alt={t('courier.photo_alt')}
              onPhoto={(photo) => setImages({ ...images, photo })}
            />
          </Proof>
        ) : null}
        {isNeeded('name') ? (
          <div data-proof="name">
            <TextField
              label={t('courier.name')}
              hint={t('courier.name_hint')}
              error={problem('name')}
              value={name}
              maxLength={80}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          </div>
        ) : null}
        {isNeeded('code') ? (
          <div data-proof="code">
            <TextField
              label={t('courier.code')}
              hint={t('courier.code_hint')}
              error={problem('code') ?? refusalOf('code', code === '')}
              value={code}
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              onChange={(event) =>
                setCode(latinDigits(event.target.value).replace(/\D/g, '').slice(0, codeLength))
              }
            />
          </div>
        ) : null}
        {isNeeded('scan') ? (
          <ScanField
            value={scan}
            onChange={setScan}
            error={problem('scan') ?? refusalOf('scan', scan === refusal?.step.scan)}
          />
        ) : null}
        {isNeeded('signature') ? (
          <Proof name="signature" label={t('courier.signature')} problem={problem('signature')}>
            {unsigned ? null : (
              <Suspense fallback={<div className={own.signature} />}>
                <SignatureField
                  label={t('courier.signature')}
                  clear={t('courier.signature_clear')}
                  onChange={(signature) =>
                    setImages(({ signature: _old, ...rest }) => (signature ? { ...rest, signature } : rest))
                  }
                />
              </Suspense>
            )}
            <label className={choiceClasses.choice}>
              <input
                type="checkbox"
                checked={unsigned}
                onChange={({ target }) => setUnsigned(target.checked)}
              />
              <span>
                {t('courier.unsigned')}
                <small>{t('courier.unsigned_hint')}</small>
              </span>
            </label>
          </Proof>
        ) : null}
      </div>
    </Dialog>
  )
}

/** The field whose value was refused; null for another refusal. */
function fieldOf(refusal: StepRefusal | null): 'code' | 'scan' | null {
  const key = refusal?.error instanceof ApiError ? refusal.error.key : null
  return key === 'wrong_otp' ? 'code' : key === 'wrong_label' ? 'scan' : null
}

const confirmKeys = {
  pickup: 'courier.collect',
  drop: 'courier.delivered',
  return: 'courier.returned',
} as const

interface ProofProps {
  name: StopNeed
  label: string
  problem: string | undefined
  children: ReactNode
}

function Proof({ name, label, problem, children }: ProofProps) {
  return (
    <fieldset className={own.proof} data-proof={name}>
      <legend className={own.label}>{label}</legend>
      {children}
      {problem ? (
        <span className={own.problem} role="alert">
          {problem}
        </span>
      ) : null}
    </fieldset>
  )
}

interface ScanFieldProps {
  value: string
  error: string | undefined
  onChange: (text: string) => void
}

/** The label's text, by camera or typed. */
function ScanField({ value, error, onChange }: ScanFieldProps) {
  const { t } = useText()
  const [scanning, setScanning] = useState(false)
  return (
    <div className={own.proof} data-proof="scan">
      <TextField
        label={t('courier.scan')}
        hint={t('courier.scan_hint')}
        error={error}
        value={value}
        dir="ltr"
        maxLength={80}
        autoComplete="off"
        autoCapitalize="characters"
        onChange={(event) => onChange(event.target.value)}
      />
      {scanning ? (
        <Suspense fallback={null}>
          <ScanCamera
            onText={(text) => {
              setScanning(false)
              onChange(text)
            }}
          />
        </Suspense>
      ) : null}
      <Button wide onClick={() => setScanning(!scanning)}>
        {t(scanning ? 'courier.scan_stop' : 'courier.scan_start')}
      </Button>
    </div>
  )
}
