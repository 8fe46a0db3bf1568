import { ApiError } from '@hansom/client/api-error'
import type { PromoProblem } from '@hansom/domain/fare/promo'
import { IconTicket } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './promo-field.module.css'

interface Props {
  /** The applied promo. */
  applied: string | null
  /** The discount, 10^-4 of the currency unit. */
  saves: number
  busy: boolean
  error: ReactNode
  onApply: (promo: string | null) => void
  /** Called when the user edits a rejected code. */
  onEdit: () => void
}

/** Promo code input: enter, apply with the discount shown, remove. */
export function PromoField({ applied, saves, busy, error, onApply, onEdit }: Props) {
  const { t } = useText()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const [code, setCode] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const isRefused = Boolean(error)
  // On a phone the message would be below the edge of the dialog.
  useEffect(() => {
    if (isRefused) form.current?.scrollIntoView?.({ block: 'center' })
  }, [isRefused])
  if (applied && !busy) {
    return (
      <output className={classes.applied}>
        <IconTicket size={20} aria-hidden />
        <span>
          <bdi dir="ltr">{applied}</bdi>
          {saves > 0 ? (
            <small>{t('payments.promo_saves', { amount: isolated(format.money(saves)) })}</small>
          ) : null}
        </span>
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            setCode('')
            onApply(null)
          }}
        >
          {t('booking.promo_remove')}
        </Button>
      </output>
    )
  }
  if (!open && !error) {
    return (
      <Button variant="quiet" className={classes.opener} onClick={() => setOpen(true)}>
        <IconTicket size={20} aria-hidden />
        {t('booking.promo_add')}
      </Button>
    )
  }
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onApply(code.trim() || null)
      }}
    >
      <TextField
        label={t('booking.promo')}
        dir="ltr"
        name="promo"
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={60}
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          if (error) onEdit()
        }}
        error={error}
      />
      <Button type="submit" busy={busy}>
        {t('booking.promo_apply')}
      </Button>
    </form>
  )
}

const known = [
  'unknown',
  'expired',
  'used_up',
  'used_by_rider',
  'below_minimum',
] as const satisfies PromoProblem[]

/** Why a promo does not apply, if the server gives a reason. */
export function PromoRefusal({ error }: { error: unknown }) {
  const { t } = useText()
  const format = useFormat()
  const reason = error instanceof ApiError ? known.find((one) => one === error.data.why) : undefined
  if (!(error instanceof ApiError) || !reason) return <ErrorMessage error={error} />
  const least = Number(error.data.min_order ?? 0)
  return <span>{t(`payments.promo_${reason}`, { amount: isolated(format.money(least)) })}</span>
}
