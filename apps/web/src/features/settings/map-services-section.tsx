import type { MapServicesView, MapServiceTest } from '@hansom/contract/integrations'
import { mapServiceFacts } from '@hansom/domain/geo/map-services'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { outsideMapHost, useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './map-services-section.module.css'
import { Section } from './settings-page.tsx'
import shared from './settings-screen.module.css'

/** While the section is open, calls and breakers change. */
const refreshMs = 15_000
const roles = ['places', 'routes'] as const
type Role = (typeof roles)[number]

/** Who answers searches, routes and tiles, with a test of each outside service, and the calls of today. */
export function MapServicesSection() {
  const { t } = useText()
  const mapHost = outsideMapHost(useSettings())
  const query = useQuery({ ...orpc.integrations.maps.queryOptions(), refetchInterval: refreshMs })
  return (
    <Section id="maps" title={t('settings.maps')} text={t('settings.maps_text')}>
      {query.isPending ? <LoadingState rows={3} height="44px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data ? (
        <>
          <ul className={shared.providers}>
            {roles.map((role) => (
              <ServiceRow key={role} role={role} state={query.data[role]} />
            ))}
            <li className={shared.provider}>
              <span className={shared.providerName}>{t('settings.maps_tiles')}</span>
              <span className={shared.providerState}>
                {mapHost === null ? t('settings.maps_embedded') : <bdi dir="ltr">{mapHost}</bdi>}
              </span>
            </li>
            {query.data.regions.map((region) => (
              <RegionRow key={region.id} region={region} />
            ))}
          </ul>
          {query.data.places || query.data.routes ? <CallsToday view={query.data} /> : null}
        </>
      ) : null}
    </Section>
  )
}

/** What one of this server's maps knows. */
function RegionRow({ region }: { region: MapServicesView['regions'][number] }) {
  const { t, language } = useText()
  const format = useFormat()
  const named = (type: 'region' | 'language', code: string) =>
    new Intl.DisplayNames(language.langLocale, { type }).of(code) ?? code
  const languages = region.languages.map((code) => named('language', code))
  return (
    <li className={classes.region}>
      <strong>
        <bdi>{region.name}</bdi>
      </strong>
      <span>
        {t('settings.maps_region_facts', {
          country: named('region', region.countryCode),
          zone: isolated(region.timezone.replaceAll('_', ' ')),
          currency: isolated(region.currency),
          languages: new Intl.ListFormat(language.langLocale, { type: 'unit' }).format(languages),
        })}
      </span>
      <span>
        {t('settings.maps_region_counts', {
          streets: format.number(region.streets),
          numbers: format.number(region.houseNumbers),
          places: format.number(region.places),
        })}
      </span>
      <span>
        {region.extract === null
          ? t('settings.maps_region_packaged')
          : t('settings.maps_region_extract', { file: isolated(region.extract) })}
      </span>
    </li>
  )
}

function ServiceRow({ role, state }: { role: Role; state: MapServicesView[Role] }) {
  const { t } = useText()
  const client = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => api.integrations.testMaps({ role }),
    onSettled: () => client.invalidateQueries({ queryKey: orpc.integrations.maps.queryKey() }),
  })
  const isWorking = state?.breaker === 'closed'
  return (
    <li className={shared.provider}>
      <span className={shared.providerName}>{t(`settings.maps_${role}`)}</span>
      <span className={shared.providerState} data-on={isWorking || undefined}>
        {state === null ? (
          t('settings.maps_embedded')
        ) : (
          <>
            <bdi>{mapServiceFacts[state.service].name}</bdi>
            {state.breaker === 'closed' ? null : <> · {t(`settings.maps_breaker_${state.breaker}`)}</>}
          </>
        )}
      </span>
      {state === null ? null : (
        <Button
          size="small"
          busy={isPending}
          aria-label={t(`settings.maps_test_${role}`)}
          className={shared.providerTest}
          onClick={() => mutate()}
        >
          {t('settings.test')}
        </Button>
      )}
      {data || error ? (
        <div className={shared.outcome}>
          <Notice tone={error || data?.some(({ failure }) => failure !== null) ? 'bad' : 'good'}>
            {data ? <TestResults tests={data} /> : <ErrorMessage error={error} />}
          </Notice>
        </div>
      ) : null}
    </li>
  )
}

function TestResults({ tests }: { tests: readonly MapServiceTest[] }) {
  const { t } = useText()
  const format = useFormat()
  const answerOf = ({ failure, found, drive }: MapServiceTest) => {
    if (failure !== null) return t(`settings.maps_failure_${failure}`)
    if (drive) return `${format.distance(drive.distanceKm)}, ${format.duration(drive.durationS)}`
    return found ?? t('settings.maps_nothing')
  }
  return (
    <ul className={classes.tests}>
      {tests.map((test) => (
        <li key={test.kind}>
          {t('settings.maps_result', {
            kind: t(`settings.maps_kind_${test.kind}`),
            answer: isolated(answerOf(test)),
            ms: format.number(test.ms),
          })}
        </li>
      ))}
    </ul>
  )
}

function CallsToday({ view }: { view: MapServicesView }) {
  const { t } = useText()
  const format = useFormat()
  const dollars = (microUsd: number) => format.number(microUsd / 1e6, 2)
  const { calls, total, cap } = view
  const isReached =
    (cap.calls !== null && total.calls >= cap.calls) ||
    (cap.microUsd !== null && total.microUsd >= cap.microUsd)
  return (
    <div className={classes.today}>
      <h3>{t('settings.maps_today')}</h3>
      {isReached ? <Notice tone="attention">{t('settings.maps_cap_reached')}</Notice> : null}
      {calls.length === 0 ? (
        <p className={shared.needs}>{t('settings.maps_no_calls')}</p>
      ) : (
        <table className={classes.calls}>
          <thead>
            <tr>
              <th scope="col">{t('settings.maps_kind')}</th>
              <th scope="col">{t('settings.maps_calls')}</th>
              <th scope="col">{t('settings.maps_failed')}</th>
              <th scope="col">{t('settings.maps_cost')}</th>
            </tr>
          </thead>
          <tbody>
            {calls.map(({ service, kind, calls: count, failures, microUsd }) => (
              <tr key={`${service} ${kind}`}>
                <th scope="row">
                  {t(`settings.maps_kind_${kind}`)} <bdi>{mapServiceFacts[service].name}</bdi>
                </th>
                <td>{format.number(count)}</td>
                <td>{format.number(failures)}</td>
                <td>{dollars(microUsd)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('settings.maps_total')}</th>
              <td>{format.number(total.calls)}</td>
              <td />
              <td>{dollars(total.microUsd)}</td>
            </tr>
            <tr>
              <th scope="row">{t('settings.maps_cap')}</th>
              <td>{cap.calls === null ? t('settings.maps_no_cap') : format.number(cap.calls)}</td>
              <td />
              <td>{cap.microUsd === null ? t('settings.maps_no_cap') : dollars(cap.microUsd)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </div>
  )
}
