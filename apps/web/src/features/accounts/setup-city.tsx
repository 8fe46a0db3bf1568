import type { SetupCity } from '@hansom/contract/users'
import { IconCopy } from '@tabler/icons-react'
import { lazy, type ReactNode } from 'react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { MapFrame } from '../../map/map-frame.tsx'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import classes from './setup-screen.module.css'

const CityMap = lazy(() => import('../../map/city-map.tsx'))

/** The first step: which city the server serves, and how to serve another one. */
export function SetupCityStep({ city, onNext }: { city: SetupCity; onNext: () => void }) {
  const { t } = useText()
  return (
    <div className={classes.page} data-wide>
      <p className={classes.step}>{t('auth.setup_step', { step: 1, count: 2 })}</p>
      <h1 className={classes.title}>{t('auth.setup_city')}</h1>
      <p className={classes.intro}>{t('auth.setup_city_text')}</p>
      <article className={classes.city} aria-labelledby="setup-city">
        <div className={classes.map}>
          <MapFrame
            label={t('auth.setup_city_map', { city: city.name })}
            items={[]}
            render={(onFail) => <CityMap fit={[]} fitKey="" onFail={onFail} />}
          />
        </div>
        <div className={classes.facts}>
          <h2 id="setup-city">
            <bdi>{city.name}</bdi>
          </h2>
          <CityFacts city={city} />
        </div>
      </article>
      <p className={classes.hint}>{t('auth.setup_city_later')}</p>
      <Button variant="primary" size="large" wide onClick={onNext}>
        {t('auth.setup_city_next', { city: city.name })}
      </Button>
      <OtherCity city={city} />
    </div>
  )
}

function CityFacts({ city }: { city: SetupCity }) {
  const { t, language } = useText()
  const format = useFormat()
  const { code, symbol, timezone, restrictCountry } = useSettings()
  const nameOf = (type: Intl.DisplayNamesType, key: string) =>
    new Intl.DisplayNames(language.langLocale, { type }).of(key) ?? key
  const facts = {
    country: nameOf('region', city.countryCode),
    timezone: <bdi dir="ltr">{timezone.replaceAll('_', ' ')}</bdi>,
    currency: `${nameOf('currency', code)} (${isolated(symbol.trim() === code ? code : `${code}, ${symbol}`)})`,
    languages: format.list(city.languages.map((one) => nameOf('language', one))),
    search: restrictCountry ? nameOf('region', restrictCountry) : t('auth.setup_city_anywhere'),
  }
  return (
    <dl>
      {Object.entries(facts).map(([key, value]) => (
        <div key={key}>
          <dt>{t(`auth.setup_city_${key}` as 'auth.setup_city_country')}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const extracts = {
  regions: 'https://download.geofabrik.de',
  cities: 'https://extract.bbbike.org',
}

function OtherCity({ city: { others, dataDir } }: { city: SetupCity }) {
  const { t } = useText()
  const command = (text: string) => (dataDir === null ? text : `DATA_DIR=${quoted(dataDir)} ${text}`)
  return (
    <details className={classes.other}>
      <summary>{t('auth.setup_city_other')}</summary>
      {others.length > 0 ? (
        <>
          <p>{t('auth.setup_city_ready')}</p>
          <ul className={classes.ready}>
            {others.map(({ id, name }) => (
              <li key={id}>
                <bdi>{name}</bdi>
                <Command text={command(`npm run maps:use -- ${id}`)} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <ol className={classes.steps}>
        <li>{withLinks(t('auth.setup_city_download', { regions: '{{regions}}', cities: '{{cities}}' }))}</li>
        <li>
          {t('auth.setup_city_import')}
          <Command text={command('npm run maps:import -- city.osm.pbf')} />
        </li>
        <li>
          {t('auth.setup_city_use')}
          <Command text={command('npm run maps:use -- city')} />
        </li>
      </ol>
      <p>{t('auth.setup_city_service')}</p>
    </details>
  )
}

/** For a shell. */
const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

/** The text with the pages for extracts as links. */
function withLinks(text: string): ReactNode[] {
  return text.split(/\{\{(regions|cities)\}\}/).map((part, index) => {
    if (index % 2 === 0) return part
    const url = extracts[part as keyof typeof extracts]
    return (
      <a key={part} href={url} target="_blank" rel="noreferrer" dir="ltr">
        {new URL(url).host}
      </a>
    )
  })
}

function Command({ text }: { text: string }) {
  const { t } = useText()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => announce(t('auth.setup_copied')),
      () => announce(t('auth.setup_not_copied')),
    )
  return (
    <span className={classes.command} dir="ltr">
      <code>{text}</code>
      <button type="button" aria-label={t('auth.setup_copy', { command: text })} onClick={() => void copy()}>
        <IconCopy size={18} stroke={1.7} aria-hidden />
      </button>
    </span>
  )
}
