import { carTypeLimits } from '@hansom/domain/car-types/check-car-type'
import type { CancelSlab } from '@hansom/domain/fare/fare'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import form from '../../ui/record-form.module.css'
import { type EditRules, editText, readEdit, unreadable } from '../../ui/table/edit-value.ts'
import { TextField } from '../../ui/text-field.tsx'
import classes from './car-types.module.css'

/** A step of the cancellation fee as it is typed. */
export interface SlabRow {
  /** Identifies the row while its texts change. */
  key: string
  minutes: string
  price: string
}

let rowCount = 0
const nextKey = () => `slab-${++rowCount}`

/** Steps as rows of text. */
export function slabRows(slabs: readonly CancelSlab[], rules: EditRules): SlabRow[] {
  return slabs.map(({ minsDelayed, amount }) => ({
    key: nextKey(),
    minutes: String(minsDelayed),
    price: editText('amount', amount, rules),
  }))
}

/** The steps that the rows stand for; NaN for an invalid number. */
export function readSlabs(rows: readonly SlabRow[]): CancelSlab[] {
  const number = (kind: 'number' | 'amount', text: string) => {
    const value = readEdit({ kind }, text, { timezone: 'UTC', decimal: 0 })
    return value === unreadable ? Number.NaN : Number(value)
  }
  return rows.map(({ minutes, price }) => ({
    minsDelayed: number('number', minutes),
    amount: number('amount', price),
  }))
}

interface Props {
  rows: readonly SlabRow[]
  /** The error of `<line>.<field>` with its text. */
  errorOf: (part: string, text: string) => string | undefined
  onChange: (rows: readonly SlabRow[]) => void
}

/** The steps of the cancellation fee: minutes since acceptance, and the fee from then on. */
export function SlabEditor({ rows, errorOf, onChange }: Props) {
  const { t } = useText()
  const list = useRef<HTMLOListElement>(null)
  const change = (row: SlabRow, texts: Partial<SlabRow>) =>
    onChange(rows.map((one) => (one === row ? { ...row, ...texts } : one)))
  const add = () => {
    onChange([...rows, { key: nextKey(), minutes: '', price: '' }])
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }

  return (
    <fieldset className={form.section}>
      <legend>{t('carTypes.slabs')}</legend>
      <p className={form.hint}>{t(rows.length > 0 ? 'carTypes.slabs_hint' : 'carTypes.slabs_none')}</p>
      {rows.length > 0 ? (
        <ol ref={list} className={classes.slabs}>
          {rows.map((row, line) => (
            <li key={row.key} className={classes.slab}>
              <TextField
                label={t('carTypes.slab_minutes')}
                value={row.minutes}
                dir="ltr"
                inputMode="numeric"
                autoComplete="off"
                maxLength={4}
                error={errorOf(`${line}.minsDelayed`, row.minutes)}
                onChange={(event) => change(row, { minutes: event.target.value })}
              />
              <TextField
                label={t('carTypes.slab_amount')}
                value={row.price}
                dir="ltr"
                inputMode="decimal"
                autoComplete="off"
                maxLength={14}
                error={errorOf(`${line}.amount`, row.price)}
                onChange={(event) => change(row, { price: event.target.value })}
              />
              <Button
                size="icon"
                variant="quiet"
                className={classes.cross}
                aria-label={t('carTypes.slab_remove', { line: line + 1 })}
                onClick={() => onChange(rows.filter((one) => one !== row))}
              >
                <IconX size={19} aria-hidden />
              </Button>
            </li>
          ))}
        </ol>
      ) : null}
      {rows.length < carTypeLimits.slabs ? (
        <div>
          <Button size="small" onClick={add}>
            <IconPlus size={17} aria-hidden />
            {t('carTypes.slab_add')}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
