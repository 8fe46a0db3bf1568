import type { PromoView } from '@hansom/contract/promos'
import { promoLimits } from '@hansom/domain/promos/check-promo'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import type { ApiError } from '../../lib/api-error.ts'
import { serverNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
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
import { TextField } from '../../ui/text-field.tsx'
import { useTypedFields } from '../../ui/use-typed-fields.ts'
import { differencesOf } from './differences.ts'
import { problemsOf, type PromoField, readPromo, typedPromo } from './promo-form.ts'
import { PromoPreview } from './promo-preview.tsx'

interface Props {
  /** Null adds one. */
  promo: PromoView | null
  onClose: () => void
  onSaved: (promo: PromoView) => void
}

/** Everything about a promo in one form, with what a trip would save by it. */
export function PromoDialog({ promo, onClose, onSaved }: Props) {
  const { t } = useText()
  const format = useFormat()
  const { timezone } = useSettings()
  const formId = useId()
  /** The record that the form is about, as it was last read. */
  const [base, setBase] = useState(promo)
  const [tried, setTried] = useState(false)
  const fields = useTypedFields<PromoField>(typedPromo(promo))
  const draft = readPromo(fields, timezone)
  const problems = problemsOf(
    draft,
    { user_avail: base?.user_avail ?? 0, now: base ? null : serverNow() },
    (field) => fields.text(field).trim() === '',
  )

  const save = useMutation<PromoView, ApiError, PromoView | null>({
    mutationFn: (against) =>
      against
        ? api.promos.update({ ...draft, id: against.id, version: against.version })
        : api.promos.create(draft),
    onSuccess: onSaved,
  })
  const refused = Object.fromEntries((save.error?.fields ?? []).map(({ field, error }) => [field, error]))
  const errorOf = (field: PromoField): string | undefined => {
    // What the server said of a field stands until the next try.
    const key = (tried || fields.touched(field) ? problems[field] : undefined) ?? refused[field]
    return key ? fieldProblem(key, t) : undefined
  }
  const theirs =
    save.error?.key === 'conflict' ? (save.error.data.current as PromoView | undefined) : undefined

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(problems).length > 0) {
      const element = event.currentTarget
      requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    } else if (!save.isPending) save.mutate(base)
  }
  const field = (name: PromoField, maxLength: number, more: { hint?: string; type?: string } = {}) => (
    <TextField
      label={t(`promos.${name}`)}
      name={name}
      value={fields.text(name)}
      type={more.type ?? 'text'}
      dir={name === 'promo_description' || name === 'promo_name' ? 'auto' : 'ltr'}
      inputMode={maxLength < 20 && !more.type ? 'decimal' : undefined}
      maxLength={maxLength}
      autoComplete="off"
      hint={more.hint}
      error={errorOf(name)}
      onBlur={() => fields.touch(name)}
      onChange={(event) => fields.set(name, event.target.value)}
    />
  )
  const previewed = (['promo_discount_value', 'max_promo_discount_value', 'min_order'] as const).every(
    (name) => problems[name] === undefined,
  )

  return (
    <Dialog
      open
      onClose={onClose}
      width={720}
      title={promo ? <bdi>{promo.promo_name}</bdi> : t('promos.add')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={formId} variant="primary" busy={save.isPending}>
            {t(promo ? 'table.save' : 'promos.add')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={formId} className={form.form} onSubmit={submit} noValidate>
        {theirs ? (
          <FocusOnMount key={save.submittedAt}>
            <ConflictNotice
              name={theirs.promo_name}
              differences={differencesOf(draft, theirs, t, format)}
              onKeepMine={() => {
                setBase(theirs)
                save.mutate(theirs)
              }}
              onTakeTheirs={() => {
                setBase(theirs)
                fields.reset(typedPromo(theirs))
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
        <div className={form.pair}>
          {field('promo_name', promoLimits.name, { hint: t('promos.name_hint') })}
          {field('promo_description', promoLimits.description)}
        </div>
        <fieldset className={form.section}>
          <legend>{t('promos.discount')}</legend>
          <div className={form.pair}>
            <ChoiceField
              label={t('promos.promo_discount_type')}
              name="promo_discount_type"
              value={fields.text('promo_discount_type')}
              choices={[
                { value: 'percentage', label: t('promos.type_percentage') },
                { value: 'flat', label: t('promos.type_flat') },
              ]}
              onChange={(event) => fields.set('promo_discount_type', event.target.value)}
            />
            {field('promo_discount_value', 16)}
            {field('max_promo_discount_value', 16, { hint: t('promos.cap_hint') })}
            {field('min_order', 16, { hint: t('promos.min_order_hint') })}
          </div>
        </fieldset>
        <PromoPreview draft={previewed ? draft : null} />
        <fieldset className={form.section}>
          <legend>{t('promos.use')}</legend>
          <div className={form.pair}>
            {field('promo_validity', 10, { type: 'date', hint: t('promos.validity_hint', { timezone }) })}
            {field('promo_usage_limit', 10, {
              hint: base ? t('promos.used_so_far', { count: base.user_avail }) : undefined,
            })}
          </div>
        </fieldset>
      </form>
    </Dialog>
  )
}
