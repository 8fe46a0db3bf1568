import type { DispatchRuleView } from '@hansom/contract/dispatch-rules'
import { dispatchRulesTableSpec } from '@hansom/contract/dispatch-rules-table'
import { figureNames, type RuleFields, ruleProblems, ruleRanges } from '@hansom/domain/dispatch/rules'
import { figuresOf } from '@hansom/domain/dispatch/strategies'
import { Fragment, useMemo } from 'react'
import { api } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { RangeHint } from '../../ui/range-hint.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { fieldOf, type RecordField } from '../../ui/record-field.tsx'
import form from '../../ui/record-form.module.css'
import { DataTable } from '../../ui/table/data-table.tsx'
import { areaField, blankRule, daysField, ruleColumns } from './rule-columns.tsx'

const idOf = (rule: DispatchRuleView) => rule.id
const nameOf = (rule: DispatchRuleView) => rule.name

/** The strategies of dispatch by hour and area. */
export function DispatchRulesScreen() {
  const { t } = useText()
  const format = useFormat()
  const { convert_to_mile } = useSettings()
  const distance = t(convert_to_mile ? 'settings.unit_mi' : 'settings.unit_km')
  const columns = useMemo(() => ruleColumns(t, format, distance), [t, format, distance])
  const fields = useMemo(() => {
    const unitOf: Readonly<Record<string, string>> = {
      area_radius: distance,
      firstRadius: distance,
      waveSize: t('settings.unit_drivers'),
      waveSeconds: t('settings.unit_seconds'),
      batchSeconds: t('settings.unit_seconds'),
      ageing: t('settings.unit_seconds'),
      fairness: t('settings.unit_seconds'),
      soonFreeMinutes: t('settings.unit_minutes'),
    }
    const editable = columns.filter((one) => one.edit).map((one) => withUnit(fieldOf(one), unitOf[one.id]))
    return [...editable, daysField(t, format), areaField]
  }, [columns, t, format, distance])
  return (
    <DataTable
      name="dispatch-rules"
      changeEvents="dispatchRules"
      title="dispatchRules.title"
      spec={dispatchRulesTableSpec}
      columns={columns}
      filters={{
        strategy: {
          label: 'dispatchRules.strategy',
          words: {
            broadcast: 'settings.choice_broadcast',
            waves: 'settings.choice_waves',
            nearest: 'settings.choice_nearest',
            batch: 'settings.choice_batch',
          },
        },
      }}
      page={(query) => api.dispatchRules.list(query)}
      count={(narrowing) => api.dispatchRules.count(narrowing)}
      rowId={idOf}
      rowName={nameOf}
      save={({ id, version }, changes) => api.dispatchRules.update({ ...changes, id, version })}
      create={{
        label: 'dispatchRules.add',
        dialog: ({ onClose, onCreated }) => (
          <RuleDialog rule={null} fields={fields} onClose={onClose} onSaved={onCreated} />
        ),
      }}
      editDialog={({ row, onClose, onSaved }) => (
        <RuleDialog rule={row} fields={fields} onClose={onClose} onSaved={onSaved} />
      )}
      remove={{ name: nameOf, call: ({ id }) => api.dispatchRules.remove({ id }), safety: 'undo' }}
      routes={{
        save: 'dispatchRules.update',
        create: 'dispatchRules.create',
        remove: 'dispatchRules.remove',
      }}
      empty={{ title: 'dispatchRules.empty', text: 'dispatchRules.empty_text' }}
    />
  )
}

/** A field whose label ends with the unit. */
const withUnit = (
  field: RecordField<RuleFields, string>,
  unit: string | undefined,
): RecordField<RuleFields, string> =>
  unit === undefined
    ? field
    : {
        ...field,
        control: (props, rule) => field.control({ ...props, label: `${props.label} (${unit})` }, rule),
      }

interface Props {
  /** Null adds one. */
  rule: DispatchRuleView | null
  fields: readonly RecordField<RuleFields>[]
  onClose: () => void
  onSaved: (rule: DispatchRuleView) => void
}

/** All fields of a rule: when and where it applies, and the strategy with its figures. */
function RuleDialog({ rule, fields, onClose, onSaved }: Props) {
  const { t } = useText()
  const ranged = (name: keyof typeof ruleRanges, text?: string) => {
    const [from, to] = ruleRanges[name]
    return (
      <RangeHint from={from} to={to}>
        {text}
      </RangeHint>
    )
  }
  const hints: Readonly<Partial<Record<keyof RuleFields, string>>> = {
    firstRadius: t('settings.hint_dispatch_firstRadius'),
    ageing: t('settings.hint_dispatch_ageing'),
    fairness: t('settings.hint_dispatch_fairness'),
    soonFreeMinutes: t('settings.hint_dispatch_soonFreeMinutes'),
  }
  return (
    <RecordDialog<RuleFields, DispatchRuleView>
      title={rule ? <bdi>{rule.name}</bdi> : t('dispatchRules.add')}
      action={t(rule ? 'table.save' : 'dispatchRules.add')}
      width={720}
      command={`dispatch-rules ${rule?.id ?? ''}`}
      record={rule}
      blank={blankRule}
      fields={fields}
      check={ruleProblems}
      save={({ draft, changes, record, options }) =>
        record
          ? api.dispatchRules.update({ ...changes, id: record.id, version: record.version }, options)
          : api.dispatchRules.create(draft, options)
      }
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ field, preview }) => {
        // A field that decides nothing is hidden, unless it is invalid.
        const unlessIdle = (name: keyof typeof ruleRanges, decides: (draft: RuleFields) => boolean) =>
          preview([name], (draft) =>
            draft === null || decides(draft) ? field(name, ranged(name, hints[name])) : null,
          )
        return (
          <>
            <div className={form.pair}>
              {field('name')}
              {field('priority', ranged('priority', t('dispatchRules.priority_hint')))}
            </div>
            <fieldset className={form.section}>
              <legend>{t('dispatchRules.when')}</legend>
              {field('days', t('dispatchRules.days_hint'))}
              <div className={form.pair}>
                {field('from_hour', ranged('from_hour'))}
                {field('to_hour', ranged('to_hour', t('dispatchRules.hours_hint')))}
                {field('area', t('dispatchRules.area_hint'))}
                {unlessIdle('area_radius', ({ area }) => area !== null)}
              </div>
            </fieldset>
            <fieldset className={form.section}>
              <legend>{t('dispatchRules.how')}</legend>
              {field('strategy')}
              <div className={form.pair}>
                {figureNames.map((name) =>
                  name === 'strategy' ? null : (
                    <Fragment key={name}>
                      {unlessIdle(name, ({ strategy }) => figuresOf[strategy].includes(name))}
                    </Fragment>
                  ),
                )}
              </div>
            </fieldset>
          </>
        )
      }}
    </RecordDialog>
  )
}
