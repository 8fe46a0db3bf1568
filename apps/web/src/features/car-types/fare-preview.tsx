import type { CarTypeFields } from '@hansom/domain/car-types/check-car-type'
import { fareFor } from '@hansom/domain/fare/fare'
import { fromCityUnit } from '@hansom/domain/geo/distance-unit'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Money } from '../../ui/money.tsx'
import form from '../../ui/record-form.module.css'
import { readEdit, unreadable } from '../../ui/table/edit-value.ts'
import { TextField } from '../../ui/text-field.tsx'

/** Longer ways are priced too, but no preview needs them. */
const mostDistance = 10_000
const mostMinutes = 10_000

/** What a trip would cost by the rule in the form, counted as a booking counts it. `draft` is null while it has mistakes. */
export function FarePreview({ draft }: { draft: CarTypeFields | null }) {
  const { t } = useText()
  const settings = useSettings()
  const [distance, setDistance] = useState('5')
  const [minutes, setMinutes] = useState('12')
  const way = read(distance, mostDistance)
  const time = read(minutes, mostMinutes)
  const fare =
    draft && way !== null && time !== null
      ? fareFor(draft, fromCityUnit(way, settings.convert_to_mile), time * 60, 0, settings)
      : null

  return (
    <section className={form.preview} aria-label={t('carTypes.preview')}>
      <p className={form.heading}>{t('carTypes.preview')}</p>
      <div className={form.grid}>
        <TextField
          label={t(settings.convert_to_mile ? 'carTypes.preview_miles' : 'carTypes.preview_km')}
          value={distance}
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          maxLength={8}
          onChange={(event) => setDistance(event.target.value)}
        />
        <TextField
          label={t('carTypes.preview_minutes')}
          value={minutes}
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          maxLength={8}
          onChange={(event) => setMinutes(event.target.value)}
        />
      </div>
      <div role="status">
        {fare ? (
          <>
            <p className={form.previewTotal}>
              {t('carTypes.preview_cost')}
              <strong data-preview="cost">
                <Money amount={fare.trip_cost} />
              </strong>
            </p>
            <p className={form.previewLine}>
              {t('carTypes.preview_fee')}
              <Money amount={fare.convenience_fees} />
            </p>
            <p className={form.previewLine}>
              {t('carTypes.preview_driver')}
              <Money amount={fare.driver_share} />
            </p>
            {fare.minimum_top_up > 0 ? <p className={form.hint}>{t('carTypes.preview_minimum')}</p> : null}
          </>
        ) : (
          <p className={form.hint}>{t('carTypes.preview_waits')}</p>
        )}
      </div>
    </section>
  )
}

function read(text: string, most: number): number | null {
  const value = readEdit({ kind: 'number' }, text, { timezone: 'UTC', decimal: 0 })
  if (value === unreadable || typeof value !== 'number') return null
  return value >= 0 && value <= most ? value : null
}
