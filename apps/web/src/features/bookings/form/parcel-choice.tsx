import type { CarType } from '@hansom/contract/car-types'
import { type ReactNode, useState } from 'react'
import type { ParcelDraft } from '../../../entities/bookings/booking-draft.ts'
import { ExtraText } from '../../../entities/car-types/car-type-name.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Money } from '../../../ui/money.tsx'
import { OptionCards } from '../../../ui/option-cards.tsx'
import classes from './drop-details.module.css'

/** Positions in the lists of a car type. */
type Choice = Pick<ParcelDraft, 'parcelTypeIndex' | 'optionIndex'>
type Lists = Pick<CarType, 'parcelTypes' | 'options'>

const lists = [
  { list: 'parcelTypes', index: 'parcelTypeIndex', label: 'delivery.parcel_type' },
  { list: 'options', index: 'optionIndex', label: 'delivery.option' },
] as const

interface DialogProps {
  carType: Lists
  value: Choice
  onClose: () => void
  onChoose: (choice: Choice) => void
}

/** The parcel type and option of a delivery, each with the amount it adds to the price. */
export function ParcelChoiceDialog({ carType, value, onClose, onChoose }: DialogProps) {
  const { t } = useText()
  const format = useFormat()
  const [choice, setChoice] = useState<Choice>({
    parcelTypeIndex: value.parcelTypeIndex,
    optionIndex: value.optionIndex,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('parcelForm.choice_title')}
      footer={
        <Button variant="primary" size="large" wide onClick={() => onChoose(choice)}>
          {t('parcelForm.choice_continue')}
        </Button>
      }
    >
      <div className={classes.details}>
        {lists.map(({ list, index, label }) =>
          carType[list].length === 0 ? null : (
            <OptionCards
              key={list}
              legend={t(label)}
              options={carType[list].map(({ description, amount }, at) => ({
                value: String(at),
                name: <ExtraText stored={description} />,
                detail: amount > 0 ? <bdi>+ {format.money(amount)}</bdi> : t('parcelForm.included'),
              }))}
              value={String(choice[index])}
              onChange={(at) => setChoice({ ...choice, [index]: Number(at) })}
            />
          ),
        )}
      </div>
    </Dialog>
  )
}

/** The chosen parcel type and option; `children` follow. */
export function ParcelChoice({
  carType,
  value,
  children,
}: {
  carType: Lists
  value: Choice
  children: ReactNode
}) {
  const { t } = useText()
  return (
    <div className={classes.choice}>
      <dl>
        {lists.map(({ list, index, label }) => {
          const chosen = carType[list][value[index]]
          return chosen ? (
            <div key={list}>
              <dt>{t(label)}</dt>
              <dd>
                <ExtraText stored={chosen.description} />
                {chosen.amount > 0 ? (
                  <>
                    {' · '}
                    <Money amount={chosen.amount} />
                  </>
                ) : null}
              </dd>
            </div>
          ) : null
        })}
      </dl>
      {children}
    </div>
  )
}
