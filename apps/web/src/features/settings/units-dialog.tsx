import type { CarType } from '@hansom/contract/car-types'
import { fareFor } from '@hansom/domain/fare/fare'
import { fromCityUnit } from '@hansom/domain/geo/distance-unit'
import { convertDistances, convertRate } from '@hansom/domain/settings/convert-units'
import type { SettingValues } from '@hansom/domain/settings/fields'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import choice from '../../ui/choice.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/page-states.tsx'
import classes from './units-dialog.module.css'

const choices = ['convert', 'keep'] as const
type Choice = (typeof choices)[number]

/** Lengths of the example trips in the current unit, and the driving time of a km in a city. */
const exampleLengths = [3, 8, 20]
const secondsPerKm = 150

interface Props {
  /** The stored settings. */
  before: SettingValues
  /** The unsaved changes. */
  edits: Partial<SettingValues>
  toMile: boolean
  onClose: () => void
  onConfirm: (convertUnits: boolean) => void
}

/**
 * Asks whether a change of the unit of distance converts rates and search radii or keeps their numbers, with the fares
 * of three trips for either choice.
 */
export function UnitsDialog({ before, edits, toMile, onClose, onConfirm }: Props) {
  const { t } = useText()
  const [chosen, setChosen] = useState<Choice>('convert')
  const carTypes = useQuery(orpc.carTypes.list.queryOptions())
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(toMile ? 'settings.units_to_miles' : 'settings.units_to_km')}
      width={560}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="primary" onClick={() => onConfirm(chosen === 'convert')}>
            {t('settings.save')}
          </Button>
        </DialogButtons>
      }
    >
      <div className={classes.question}>
        <p>{t('settings.units_text')}</p>
        <fieldset className={classes.choices}>
          <legend>{t('settings.units_choice')}</legend>
          {choices.map((one) => (
            <label key={one} className={choice.choice}>
              <input
                type="radio"
                name="units"
                value={one}
                checked={chosen === one}
                onChange={() => setChosen(one)}
              />
              <span>
                {t(`settings.units_${one}`)}
                <small>{t(`settings.units_${one}_text`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {carTypes.isPending ? <Skeleton height="176px" /> : null}
        <Examples
          carType={carTypes.data?.[0]}
          before={before}
          after={{ ...before, ...edits }}
          edits={edits}
          chosen={chosen}
        />
        <p className={classes.note}>{t('settings.units_booked')}</p>
      </div>
    </Dialog>
  )
}

interface ExamplesProps {
  carType: CarType | undefined
  before: SettingValues
  after: SettingValues
  edits: Partial<SettingValues>
  chosen: Choice
}

/** Fares of three trips and the search radius: now, converted, and with the same numbers. */
function Examples({ carType, before, after, edits, chosen }: ExamplesProps) {
  const { t } = useText()
  const format = useFormat()
  const { convert_to_mile: toMile } = after
  const decimal = after.decimal ?? 0
  const distance = (value: number | null, isMile: boolean) => (
    <bdi>
      {t(isMile ? 'settings.units_mi' : 'settings.units_km', { distance: format.number(value ?? 0, 2) })}
    </bdi>
  )
  const fares = carType ? faresOf(carType, before, decimal, toMile) : []
  const cell = (of: Choice) => ({ 'data-chosen': of === chosen || undefined })
  return (
    <table className={classes.examples}>
      {carType ? (
        <caption>
          {t('settings.units_examples')} <CarTypeName stored={carType.name} />
        </caption>
      ) : null}
      <thead>
        <tr>
          <th scope="col">{t('settings.units_trip')}</th>
          <th scope="col">{t('settings.units_now')}</th>
          <th scope="col" {...cell('convert')}>
            {t('settings.units_converted')}
          </th>
          <th scope="col" {...cell('keep')}>
            {t('settings.units_kept')}
          </th>
        </tr>
      </thead>
      <tbody>
        {fares.map(({ length, now, convert, keep }) => (
          <tr key={length}>
            <th scope="row">{distance(length, before.convert_to_mile)}</th>
            <td>
              <Money amount={now} />
            </td>
            <td {...cell('convert')}>
              <Money amount={convert} />
            </td>
            <td {...cell('keep')}>
              <Money amount={keep} />
            </td>
          </tr>
        ))}
        {edits.driverRadius === undefined ? (
          <tr>
            <th scope="row">{t('settings.field_driverRadius')}</th>
            <td>{distance(before.driverRadius, !toMile)}</td>
            <td {...cell('convert')}>
              {distance(convertDistances(before, toMile).driverRadius ?? null, toMile)}
            </td>
            <td {...cell('keep')}>{distance(before.driverRadius, toMile)}</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  )
}

/** The fares of the example trips before and after the change of the unit. */
function faresOf(carType: CarType, before: SettingValues, decimal: number, toMile: boolean) {
  const converted = convertRate(carType.rate_per_unit_distance, toMile, decimal)
  const cost = (rate_per_unit_distance: number, km: number, units: Parameters<typeof fareFor>[4]) =>
    fareFor({ ...carType, rate_per_unit_distance }, km, km * secondsPerKm, 0, units).trip_cost
  const inNow = { decimal: before.decimal ?? 0, convert_to_mile: !toMile }
  const inNext = { decimal, convert_to_mile: toMile }
  return exampleLengths.map((length) => {
    const km = fromCityUnit(length, !toMile)
    return {
      length,
      now: cost(carType.rate_per_unit_distance, km, inNow),
      convert: cost(converted, km, inNext),
      keep: cost(carType.rate_per_unit_distance, km, inNext),
    }
  })
}
