import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { useId } from 'react'
import { useText } from '../lib/i18n.ts'
import classes from './rating-stars.module.css'

interface Props {
  /** Accessible name of what is rated. */
  label: string
  value: number | null
  onChange: (value: number) => void
}

/** One to five stars as a radio group. */
export function RatingStars({ label, value, onChange }: Props) {
  const { t } = useText()
  const name = useId()
  return (
    <fieldset className={classes.stars} aria-label={label}>
      {[1, 2, 3, 4, 5].map((star) => {
        const on = value !== null && star <= value
        return (
          <label key={star} className={`${classes.star} ${on ? classes.on : ''}`}>
            <input
              type="radio"
              name={name}
              checked={value === star}
              onChange={() => onChange(star)}
              aria-label={t('common.stars', { count: star })}
            />
            {on ? <IconStarFilled size={32} aria-hidden /> : <IconStar size={32} stroke={1.6} aria-hidden />}
          </label>
        )
      })}
    </fieldset>
  )
}
