import { promoDiscount } from '@hansom/domain/fare/promo'
import { unit } from '@hansom/domain/money/amount'
import type { PromoFields } from '@hansom/domain/promos/check-promo'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Money } from '../../ui/money.tsx'
import form from '../../ui/record-form.module.css'
import { readEdit, unreadable } from '../../ui/table/edit-value.ts'
import { TextField } from '../../ui/text-field.tsx'

const mostCost = 10_000_000 * unit

/** What a trip would save by the promo in the form, counted as a booking counts it. `draft` is null while it has mistakes. */
export function PromoPreview({ draft }: { draft: PromoFields | null }) {
  const { t } = useText()
  const settings = useSettings()
  const [cost, setCost] = useState('500')
  const read = readEdit({ kind: 'amount' }, cost, settings)
  const tripCost =
    read !== unreadable && typeof read === 'number' && read >= 0 && read <= mostCost ? read : null
  const saved = draft && tripCost !== null ? promoDiscount(draft, tripCost, settings.decimal) : null

  return (
    <section className={form.preview} aria-label={t('promos.preview')}>
      <p className={form.heading}>{t('promos.preview')}</p>
      <TextField
        label={t('promos.preview_trip')}
        value={cost}
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        onChange={(event) => setCost(event.target.value)}
      />
      <div role="status">
        {saved !== null && tripCost !== null ? (
          <>
            <p className={form.previewTotal}>
              {t('promos.preview_saves')}
              <strong data-preview="saves">
                <Money amount={saved} />
              </strong>
            </p>
            <p className={form.previewLine}>
              {t('promos.preview_pays')}
              <Money amount={tripCost - saved} />
            </p>
            {draft && tripCost < draft.min_order ? (
              <p className={form.hint}>{t('promos.preview_below')}</p>
            ) : null}
          </>
        ) : (
          <p className={form.hint}>{t('promos.preview_waits')}</p>
        )}
      </div>
    </section>
  )
}
