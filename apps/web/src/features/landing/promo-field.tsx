import { IconTicket } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './promo-field.module.css'

interface Props {
  /** The promo that counts now. */
  applied: string | null
  busy: boolean
  error: ReactNode
  onApply: (promo: string | null) => void
}

/** A promo code: entered, applied, removed. */
export function PromoField({ applied, busy, error, onApply }: Props) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const [code, setCode] = useState('')
  if (applied && !busy) {
    return (
      <div className={classes.applied}>
        <IconTicket size={20} aria-hidden />
        <bdi dir="ltr">{applied}</bdi>
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
      </div>
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
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        onApply(code.trim() || null)
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
          if (error) onApply(null)
        }}
        error={error}
      />
      <Button type="submit" busy={busy}>
        {t('booking.promo_apply')}
      </Button>
    </form>
  )
}
