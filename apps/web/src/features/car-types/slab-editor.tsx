import type { CancelSlab } from '@hansom/domain/fare/fare-rule'
import { carTypeLimits } from '@hansom/domain/car-types/check-car-type'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import form from '../../ui/record-form.module.css'
import { editText } from '../../ui/table/edit-value.ts'
import { TextField } from '../../ui/text-field.tsx'
import classes from './slab-editor.module.css'
import { type SlabRow, slabRow } from './slab-rows.ts'

interface Props {
  rows: readonly SlabRow[]
  /** Texts by `cancelSlab.<line>.<field>`. */
  errors: Readonly<Record<string, string | undefined>>
  onChange: (rows: readonly SlabRow[]) => void
}

/** Slabs as rows that can be typed in. */
export function useSlabRows(): (slabs: readonly CancelSlab[]) => SlabRow[] {
  const settings = useSettings()
  return (slabs) =>
    slabs.map(({ minsDelayed, amount }) => slabRow(String(minsDelayed), editText('amount', amount, settings)))
}

/** The steps of the cancellation fee: from so many minutes after acceptance, so much. */
export function SlabEditor({ rows, errors, onChange }: Props) {
  const { t } = useText()
  const list = useRef<HTMLOListElement>(null)
  const put = (row: SlabRow, minutes: string, price: string) =>
    onChange(rows.map((one) => (one === row ? slabRow(minutes, price, row.key) : one)))
  const add = () => {
    onChange([...rows, slabRow('', '')])
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }

  return (
    <fieldset className={form.section}>
      <legend>{t('carTypes.slabs')}</legend>
      <p className={form.hint}>{t(rows.length > 0 ? 'carTypes.slabs_hint' : 'carTypes.slabs_none')}</p>
      {rows.length > 0 ? (
        <ol ref={list} className={classes.rows}>
          {rows.map((row, line) => (
            <li key={row.key} className={classes.row}>
              <TextField
                label={t('carTypes.slab_minutes')}
                value={row.minutes}
                dir="ltr"
                inputMode="numeric"
                autoComplete="off"
                maxLength={4}
                error={errors[`cancelSlab.${line}.minsDelayed`]}
                onChange={(event) => put(row, event.target.value, row.price)}
              />
              <TextField
                label={t('carTypes.slab_amount')}
                value={row.price}
                dir="ltr"
                inputMode="decimal"
                autoComplete="off"
                maxLength={14}
                error={errors[`cancelSlab.${line}.amount`]}
                onChange={(event) => put(row, row.minutes, event.target.value)}
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
