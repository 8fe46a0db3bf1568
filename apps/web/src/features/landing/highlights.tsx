import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Money } from '../../ui/money.tsx'
import classes from './highlights.module.css'

/** Three benefits, each illustrated by a piece of the product. */
export function Highlights() {
  const { t } = useText()
  return (
    <section
      className={classes.highlights}
      data-category={useSettings().category}
      aria-labelledby="highlights-title"
    >
      <h2 id="highlights-title" className={classes.title}>
        {t('landing.highlights_title')}
      </h2>
      <ul className={classes.list}>
        <li>
          <FareSample />
          <h3>{t('landing.fare_title')}</h3>
          <p>{t('landing.fare_text')}</p>
        </li>
        <li>
          <ArrivalSample />
          <h3>{t('landing.live_title')}</h3>
          <p>{t('landing.live_text')}</p>
        </li>
        <li>
          <PlateSample />
          <h3>{t('landing.safe_title')}</h3>
          <p>{t('landing.safe_text')}</p>
        </li>
      </ul>
    </section>
  )
}

/** Sample amounts of a currency without decimals, 10^-4 of its unit; they add up to the total. */
const sample = { base: 450_000, distance: 1_280_000, time: 340_000, convenience_fees: 230_000 }
const sampleParts = Object.entries(sample) as [keyof typeof sample, number][]
/** Units of currencies with decimals are usually worth more: a ride costs about this part of the sample. */
const decimalShare = 0.05

function FareSample() {
  const { t } = useText()
  const share = useSettings().decimal > 0 ? decimalShare : 1
  const total = share * Object.values(sample).reduce((sum, amount) => sum + amount, 0)
  return (
    <div className={classes.sample} aria-hidden>
      <dl className={classes.receipt}>
        {sampleParts.map(([part, amount]) => (
          <div key={part}>
            <dt>{t(`booking.fare_${part}`)}</dt>
            <dd>
              <Money amount={share * amount} />
            </dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>{t('booking.fare_total')}</dt>
          <dd>
            <Money amount={total} />
          </dd>
        </div>
      </dl>
    </div>
  )
}

function ArrivalSample() {
  const format = useFormat()
  return (
    <div className={classes.sample} aria-hidden>
      <svg viewBox="0 0 300 190" className={classes.street}>
        <path
          className={classes.block}
          d="M-20 40h120M130 40h200M-20 150h200M215 150h120M115 -10v110M200 60v140"
        />
        <path className={classes.way} d="M40 165V64q0-24 24-24h112q24 0 24 24v46q0 24 24 24h60" />
        <g className={classes.car}>
          <rect x="-9" y="-17" width="18" height="34" rx="7" />
          <rect x="-6" y="-8" width="12" height="7" rx="2.500" className={classes.glass} />
        </g>
        <rect x="276" y="126" width="16" height="16" rx="5" className={classes.end} />
      </svg>
      <span className={classes.bubble}>
        <bdi>{format.duration(180)}</bdi>
      </span>
    </div>
  )
}

function PlateSample() {
  const { t } = useText()
  const format = useFormat()
  return (
    <div className={classes.sample} aria-hidden>
      <div className={classes.plateCard}>
        <bdi dir="ltr" className={classes.plate}>
          SBQ 4207
        </bdi>
        <span className={classes.pinLine}>
          {t('landing.sample_pin')}
          <bdi dir="ltr" className={classes.pin}>
            {[4, 8, 1, 0, 3].map((digit, place) => (
              // The digits are fixed, so the index is a stable key
              <span key={place}>{format.number(digit)}</span>
            ))}
          </bdi>
        </span>
      </div>
    </div>
  )
}
