import type { Boot, UserBoot } from '@hansom/contract/boot'
import { bookingTopic } from '@hansom/contract/live'
import type { ScreenPath } from '@hansom/domain/access/screens'
import { Refusal } from '@hansom/domain/error-keys'
import type { SessionActor } from '../../platform/http/implement.ts'
import type { TopicRegistry } from '../../platform/live/topics.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'
import type { PageFiles } from './web-build.ts'

/** A filled page in two halves, between which the user's data is inserted. */
export interface FilledPage {
  before: string
  after: string
}

const place = '<!--boot-->'

/** Fills a page: title, app name, language, direction, files to preload, and the data for its first render. */
export function fillPage(html: string, boot: Boot, files: PageFiles): FilledPage {
  const { langLocale, direction } = boot.pack
  const filled = html
    .replace(/<html[^>]*>/, () => `<html lang="${escaped(langLocale)}" dir="${direction}">`)
    .replaceAll('<!--title-->', () => escaped(boot.settings.appName))
    .replaceAll('%APP_NAME%', () => escaped(boot.settings.appName))
    .replace('</head>', () => `${linksTo(files, html)}</head>`)
  const at = filled.indexOf(place)
  if (at < 0) return { before: filled, after: '' }
  return {
    before: filled.slice(0, at) + dataScript('boot', boot),
    after: filled.slice(at + place.length),
  }
}

/** Returns the page of one user. */
export function userPage({ before, after }: FilledPage, user: UserBoot): string {
  return before + dataScript('user', user) + after
}

/** Lets the browser fetch the page's initial files in parallel. */
function linksTo({ scripts, styles }: PageFiles, html: string): string {
  const missing = (file: string) => !html.includes(`"/${file}"`)
  return [
    ...styles.filter(missing).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scripts.filter(missing).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('')
}

function dataScript(id: string, data: unknown): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}">${json}</script>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

export interface FirstDataDeps {
  topics: Pick<TopicRegistry, 'sourceOf'>
  bookingsFeature: { tracking: Pick<TrackingService, 'state'> }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns the data for the first render, so that nothing moves when it arrives: a trip, or a driver's open trips and
 * requests.
 */
export async function firstData(
  { topics, bookingsFeature }: FirstDataDeps,
  screen: ScreenPath | null,
  path: string,
  actor: SessionActor,
): Promise<UserBoot['first']> {
  const names: [kind: 'booking' | 'bookings' | 'requests', id: string | null][] = []
  const isDriver = actor.role === 'driver'
  const id = path.split('/')[2] ?? ''
  if (screen === '/trip/$id' && uuid.test(id)) names.push(['booking', id])
  if (screen === '/' && actor.role === 'rider') names.push(['bookings', null])
  if (screen === '/bookings' && isDriver) names.push(['bookings', null], ['requests', null])
  const snapshots = await Promise.all(
    names.map(async ([kind, id]) => {
      const snapshot = await topics.sourceOf(kind)?.snapshot(actor, id).catch(refusedAsNothing)
      return [id === null ? kind : bookingTopic(id), snapshot] as const
    }),
  )
  const driver = screen === '/bookings' && isDriver ? await bookingsFeature.tracking.state(actor.id) : null
  return {
    ...(driver === null ? {} : { driver }),
    topics: Object.fromEntries(snapshots.filter(([, snapshot]) => snapshot !== undefined)),
  }
}

/** The page itself handles a record that is missing or not visible. */
function refusedAsNothing(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
