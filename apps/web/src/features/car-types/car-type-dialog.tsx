import type { AdminCarType } from '@hansom/contract/car-types'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { FocusOnMount } from '../../ui/focus-on-mount.tsx'
import { Notice } from '../../ui/notice.tsx'
import { fieldProblem } from '../../ui/problem-summary.tsx'
import form from '../../ui/record-form.module.css'
import { reloadTable } from '../../ui/table/row-cache.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useTypedFields } from '../../ui/use-typed-fields.ts'
import { type CarTypeField, problemsOf, readCarType, typedCarType } from './car-type-form.ts'
import { FarePreview } from './fare-preview.tsx'
import { type ChosenPicture, PictureField } from './picture-field.tsx'
import { saveCarType } from './save-car-type.ts'
import { SlabEditor, useSlabRows } from './slab-editor.tsx'
import type { SlabRow } from './slab-rows.ts'
import { differencesOf } from './differences.ts'
import { useFormat } from '../../lib/format.ts'

interface Props {
  /** Null adds one. */
  carType: AdminCarType | null
  onClose: () => void
  onSaved: (carType: AdminCarType) => void
}

/** Everything about a car type in one form, with what a trip would cost by it. */
export function CarTypeDialog({ carType, onClose, onSaved }: Props) {
  const { t } = useText()
  const format = useFormat()
  const formId = useId()
  const slabRowsOf = useSlabRows()
  /** The record that the form is about, as it was last read. */
  const [base, setBase] = useState(carType)
  const [wasKept, setWasKept] = useState(false)
  const fields = useTypedFields<CarTypeField>(typedCarType(carType))
  const [slabs, setSlabs] = useState<readonly SlabRow[]>(() => slabRowsOf(carType?.cancelSlab ?? []))
  const [picture, setPicture] = useState<ChosenPicture>({ address: carType?.image ?? null })
  const [tried, setTried] = useState(false)

  const draft = readCarType(fields, slabs)
  const problems = problemsOf(draft, (field) =>
    field.startsWith('cancelSlab.') ? isEmptySlab(field) : fields.text(field as CarTypeField).trim() === '',
  )
  function isEmptySlab(field: string): boolean {
    const [, line, name] = field.split('.')
    const row = slabs[Number(line)]
    return (name === 'amount' ? row?.price : row?.minutes)?.trim() === ''
  }

  const save = useMutation<AdminCarType, ApiError, AdminCarType | null>({
    mutationFn: (against) =>
      saveCarType({
        base: against,
        draft,
        picture,
        onKept: (kept) => {
          setBase(kept)
          setWasKept(true)
        },
      }),
    onSuccess: onSaved,
  })
  const refused = Object.fromEntries((save.error?.fields ?? []).map(({ field, error }) => [field, error]))
  const errorOf = (field: string): string | undefined => {
    const isShown = tried || field.startsWith('cancelSlab') || fields.touched(field as CarTypeField)
    // What the server said of a field stands until the next try.
    const key = (isShown ? problems[field] : undefined) ?? refused[field]
    return key ? fieldProblem(key, t) : undefined
  }
  const slabErrors = Object.fromEntries(
    Object.keys(problems)
      .filter((field) => tried || (field.startsWith('cancelSlab.') && !isEmptySlab(field)))
      .map((field) => [field, errorOf(field)]),
  )
  const theirs =
    save.error?.key === 'conflict' ? (save.error.data.current as AdminCarType | undefined) : undefined

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(problems).length > 0) {
      const element = event.currentTarget
      requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    } else if (!save.isPending) save.mutate(base)
  }
  const close = () => {
    // The fields were kept although the picture was not.
    if (wasKept) void reloadTable('car-types')
    onClose()
  }
  const field = (name: CarTypeField, more: { hint?: string; money?: boolean; maxLength: number }) => (
    <TextField
      label={t(`carTypes.${name}`)}
      name={name}
      value={fields.text(name)}
      dir={name === 'name' || name === 'extra_info' ? 'auto' : 'ltr'}
      inputMode={more.money ? 'decimal' : undefined}
      maxLength={more.maxLength}
      autoComplete="off"
      hint={more.hint}
      error={errorOf(name)}
      onBlur={() => fields.touch(name)}
      onChange={(event) => fields.set(name, event.target.value)}
    />
  )
  const money = { money: true, maxLength: 16 }

  return (
    <Dialog
      open
      onClose={close}
      width={820}
      title={carType ? <bdi>{carType.name}</bdi> : t('carTypes.add')}
      footer={
        <DialogButtons onCancel={close}>
          <Button type="submit" form={formId} variant="primary" busy={save.isPending}>
            {t(carType ? 'table.save' : 'carTypes.add')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={formId} className={form.form} onSubmit={submit} noValidate>
        {theirs ? (
          <FocusOnMount key={save.submittedAt}>
            <ConflictNotice
              name={theirs.name}
              differences={differencesOf(draft, theirs, t, format)}
              onKeepMine={() => {
                setBase(theirs)
                save.mutate(theirs)
              }}
              onTakeTheirs={() => {
                setBase(theirs)
                fields.reset(typedCarType(theirs))
                setSlabs(slabRowsOf(theirs.cancelSlab))
                setPicture({ address: theirs.image })
                save.reset()
              }}
            />
          </FocusOnMount>
        ) : save.error && save.error.fields.length === 0 ? (
          <FocusOnMount key={save.submittedAt}>
            <Notice tone="bad">
              <ErrorMessage error={save.error} />
            </Notice>
          </FocusOnMount>
        ) : null}
        <fieldset className={form.section}>
          <legend>{t('carTypes.about')}</legend>
          <div className={form.pair}>
            {field('name', { maxLength: 40 })}
            {field('extra_info', { maxLength: 200, hint: t('carTypes.extra_info_hint') })}
            {field('seats', { money: true, maxLength: 2 })}
            {field('position', { money: true, maxLength: 4, hint: t('carTypes.position_hint') })}
          </div>
        </fieldset>
        <PictureField
          current={base?.image ?? null}
          chosen={picture}
          onChoose={setPicture}
          error={errorOf('image')}
        />
        <fieldset className={form.section}>
          <legend>{t('carTypes.fare')}</legend>
          <div className={form.grid}>
            {field('base_fare', money)}
            {field('rate_per_unit_distance', money)}
            {field('rate_per_hour', money)}
            {field('min_fare', money)}
            <ChoiceField
              label={t('carTypes.convenience_fee_type')}
              name="convenience_fee_type"
              value={fields.text('convenience_fee_type')}
              choices={[
                { value: 'percentage', label: t('carTypes.fee_percentage') },
                { value: 'flat', label: t('carTypes.fee_flat') },
              ]}
              onChange={(event) => fields.set('convenience_fee_type', event.target.value)}
            />
            {field('convenience_fees', money)}
          </div>
        </fieldset>
        <FarePreview draft={Object.keys(carFareProblems(problems)).length === 0 ? draft : null} />
        <SlabEditor rows={slabs} errors={slabErrors} onChange={setSlabs} />
      </form>
    </Dialog>
  )
}

const fareFields = ['base_fare', 'rate_per_unit_distance', 'rate_per_hour', 'min_fare', 'convenience_fees']

function carFareProblems(problems: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(problems).filter(([name]) => fareFields.includes(name)))
}
