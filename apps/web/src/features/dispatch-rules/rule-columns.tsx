import type { PlacePoint } from '@hansom/domain/bookings/booking'
import {
  figureNames,
  type RuleFields,
  ruleFiguresOf,
  ruleLimits,
  ruleProblems,
} from '@hansom/domain/dispatch/rules'
import { strategies } from '@hansom/domain/dispatch/strategies'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { type Weekday, weekdays } from '@hansom/domain/time/weekdays'
import { daysText } from '../../entities/dispatch/days-text.ts'
import { PlaceField } from '../../entities/places/place-field.tsx'
import type { Format } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import combobox from '../../ui/combobox.module.css'
import { Ltr } from '../../ui/ltr.tsx'
import { Integer } from '../../ui/money.tsx'
import type { ControlProps, RecordField } from '../../ui/record-field.tsx'
import { checkedEdit, unreadable } from '../../ui/table/edit-value.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import field from '../../ui/text-field.module.css'
import { WeekdaysField } from '../../ui/weekdays-field.tsx'

/** A new rule as its form starts. */
export const blankRule: RuleFields = {
  ...ruleFiguresOf(defaultSettings.dispatch),
  name: '',
  priority: 10,
  days: [...weekdays],
  from_hour: 0,
  to_hour: 24,
  area: null,
  area_radius: 2,
}

const edit = checkedEdit<RuleFields>(ruleProblems)

/** The columns of a rule; those that can be edited are also fields of its dialog. `distance` is the unit's name. */
export function ruleColumns(
  t: Translate,
  format: Format,
  distance: string,
): readonly TableColumn<RuleFields>[] {
  const hours = (row: RuleFields) => `${format.number(row.from_hour)}–${format.number(row.to_hour)}`
  const number = (
    id: Exclude<keyof RuleFields, 'name' | 'days' | 'area' | 'strategy'>,
    header: string,
  ): TableColumn<RuleFields> => ({
    id,
    header,
    cell: (row) => <Ltr>{format.number(row[id], 2)}</Ltr>,
    align: 'end',
    width: 120,
    hidden: true,
    edit: edit('number', id),
  })
  return [
    {
      id: 'name',
      header: 'dispatchRules.name',
      cell: (row) => (
        <bdi>
          <strong>{row.name}</strong>
        </bdi>
      ),
      width: 220,
      wraps: true,
      sort: 'name',
      phone: 'title',
      edit: edit('text', 'name', { maxLength: ruleLimits.name }),
    },
    {
      id: 'priority',
      header: 'dispatchRules.priority',
      cell: (row) => <Integer value={row.priority} />,
      align: 'end',
      width: 84,
      sort: 'priority',
      phone: 'badge',
      // A card has no header to name it.
      phoneCell: (row) => (
        <>
          {t('dispatchRules.priority')} <Integer value={row.priority} />
        </>
      ),
      edit: edit('number', 'priority'),
    },
    {
      id: 'strategy',
      header: 'dispatchRules.strategy',
      cell: (row) => t(`settings.choice_${row.strategy}`),
      width: 220,
      wraps: true,
      phone: 'subtitle',
      edit: edit('choice', 'strategy', {
        choices: () => strategies.map((value) => ({ value, label: t(`settings.choice_${value}`) })),
      }),
    },
    {
      id: 'area',
      header: 'dispatchRules.area',
      cell: (row) =>
        row.area ? (
          <bdi>
            {row.area.add} · <Ltr>{format.number(row.area_radius, 2)}</Ltr> {distance}
          </bdi>
        ) : (
          t('dispatchRules.everywhere')
        ),
      width: 220,
      wraps: true,
      phone: 'detail',
    },
    {
      id: 'days',
      header: 'dispatchRules.days',
      cell: (row) => daysText(row.days, t, format, 'short'),
      width: 160,
      wraps: true,
      phone: 'detail',
    },
    {
      id: 'hours',
      header: 'dispatchRules.hours',
      // In the direction of the language: from right to left, the first hour is on the right.
      cell: hours,
      width: 110,
      phone: 'detail',
    },
    number('from_hour', 'dispatchRules.from_hour'),
    number('to_hour', 'dispatchRules.to_hour'),
    number('area_radius', 'dispatchRules.area_radius'),
    ...figureNames.flatMap((name) =>
      name === 'strategy' ? [] : [number(name, `settings.field_dispatch_${name}`)],
    ),
  ]
}

/** The days on which a rule begins. */
export const daysField = (t: Translate, format: Format): RecordField<RuleFields, readonly Weekday[]> => ({
  id: 'days',
  header: 'dispatchRules.days',
  cell: (rule) => daysText(rule.days, t, format, 'short'),
  start: (rule) => rule.days,
  read: (days) => ({ days: weekdays.filter((day) => days.includes(day)) }),
  control: ({ errorOf: _errorOf, ...props }) => <WeekdaysField {...props} />,
})

/** A place, null for none; undefined while text is typed that is no place yet. */
type Area = PlacePoint | null | undefined

/** The middle of a rule's area: a search for a place. */
export const areaField: RecordField<RuleFields, Area> = {
  id: 'area',
  header: 'dispatchRules.area',
  cell: (rule) => <bdi>{rule.area?.add}</bdi>,
  start: (rule) => rule.area,
  read: (area) => (area === undefined ? unreadable : { area }),
  control: (props) => <AreaControl {...props} />,
}

function AreaControl({ label, hint, value, error, onChange }: ControlProps<Area>) {
  const { t } = useText()
  const { region } = useSettings()
  return (
    <div className={field.field}>
      <div className={`${combobox.picker} ${combobox.roomy}`}>
        <PlaceField
          which="pickup"
          label={label}
          placeholder={t('dispatchRules.everywhere')}
          point={value ?? null}
          near={region.center}
          locating={false}
          error={error}
          onChange={onChange}
          onType={(text) => onChange(text.trim() === '' ? null : undefined)}
          onChosen={() => {}}
        />
      </div>
      <span className={field.hint}>{hint}</span>
    </div>
  )
}
