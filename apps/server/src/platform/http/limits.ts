import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { metrics } from '../metrics/metrics.ts'
import { rateLimitKey } from './client-ip.ts'
import type { ContractRoute, RouteLimit } from './implement.ts'
import { type CommonCounts, countTogether } from './window-counts.ts'

/**
 * Requests per minute and client: a signed-in user on any IP address, or the IP address of visitors (an IPv6 /64 counts
 * as one). Users behind one address of a mobile network are counted separately once they sign in.
 */
export interface Limits {
  /** All routes without a specific limit. */
  all: number
  user: number
  signIn: number
  /** Search, address, route and shared trips: open to visitors. */
  places: number
  /** Fares and estimates: open to visitors; each computes routes. */
  offers: number
  /** Places, map functions, offers and estimates together, if a map service bills by the call: of visitors, of a user. */
  billedMaps: number
  billedMapsUser: number
  setup: number
  /** Order forms, and browsers returning from payment providers. */
  payments: number
  /** Provider webhooks; each provider uses a few IP addresses. */
  webhooks: number
  /** Pages and unknown paths. */
  pages: number
  /** Scripts, styles and fonts: a first visit requests dozens. */
  assets: number
  tiles: number
  metrics: number
  /** New bookings: each sends requests to drivers. */
  bookings: number
  /** Table exports, all tables together. */
  exports: number
  /** Requests that send emails and text messages, per hour. */
  messages: number
  /** Tests of map services, which may cost money, per hour. */
  mapTests: number
  /** Instructions that recipients change. */
  instructions: number
  /** Proofs that recipients see by their link. */
  parcelImages: number
  /** Offers and estimates with several drops, which are planned. */
  plans: number
  /** Test notifications of a user, per hour. */
  pushTests: number
  /** Errors of pages that are written to the log. */
  pageErrors: number
  /** Users created by admins, per hour: each gets an email. */
  invitations: number
}

/** Generous: a company, or the users of a mobile network, behind one IP address must not reach them. */
export const defaultLimits: Limits = {
  all: 6_000,
  user: 1_800,
  signIn: 1_500,
  places: 1_800,
  offers: 600,
  billedMaps: 60,
  billedMapsUser: 240,
  setup: 20,
  payments: 600,
  webhooks: 1_200,
  pages: 1_200,
  assets: 60_000,
  tiles: 3_000,
  metrics: 600,
  bookings: 30,
  instructions: 30,
  parcelImages: 120,
  plans: 60,
  exports: 12,
  messages: 60,
  mapTests: 30,
  pushTests: 20,
  pageErrors: 20,
  invitations: 150,
}

const signUpFunctions = ['functions.validateReferrer', 'functions.checkUserExists', 'functions.userSignUp']
/** Routes that send a message. */
const senders = [
  'receipts.mail',
  'users.invite',
  'functions.sendNotification',
  'accounts.requestEmailChange',
  'accounts.requestMobileChange',
  'integrations.test',
]
const hourMs = 3_600_000

/** Routes outside `places` that can call a map service. */
const mapFunctions = [
  'functions.getAddress',
  'functions.getDriveTime',
  'functions.getMultiLocTime',
  'functions.autocomplete',
  'functions.getCoords',
  'functions.getRoute',
]
const mapBookings = ['bookings.offers', 'bookings.estimate', 'bookings.quoteChange']

/**
 * Returns the limit of a contract route; undefined when only the general one applies. `mapsAreBilled`: a map service
 * bills by the call.
 */
export function limitOf(route: ContractRoute, limits: Limits, mapsAreBilled = false): RouteLimit | undefined {
  const noun = route.name.split('.', 1)[0]
  if (senders.includes(route.name)) {
    return { max: limits.messages, timeWindow: hourMs, groupId: 'messages' }
  }
  if (route.name === 'integrations.testMaps') return { max: limits.mapTests, timeWindow: hourMs }
  if (route.name === 'devices.test') return { max: limits.pushTests, timeWindow: hourMs }
  if (route.name === 'pages.reportError') return { max: limits.pageErrors }
  if (route.name === 'users.create') return { max: limits.invitations, timeWindow: hourMs }
  if (signUpFunctions.includes(route.name)) return { max: limits.signIn }
  if (noun === 'accounts' && route.name !== 'accounts.session') return { max: limits.signIn }
  const isOffer = mapBookings.includes(route.name)
  if (isOffer || noun === 'places' || mapFunctions.includes(route.name)) {
    if (!mapsAreBilled) {
      if (!isOffer) return { max: limits.places }
      return { max: (request) => (isPlan(request) ? limits.plans : limits.offers) }
    }
    return {
      max: (_request, key) => (isUser(key) ? limits.billedMapsUser : limits.billedMaps),
      groupId: 'billedMaps',
    }
  }
  if (noun === 'functions' || route.name === 'tripLinks.show') return { max: limits.places }
  if (route.name === 'tripLinks.instruct') return { max: limits.instructions }
  if (route.name === 'bookings.create') return { max: limits.bookings }
  if (route.name === 'setup.create') return { max: limits.setup }
  return undefined
}

/** The body of an offer or estimate for one drop is shorter. */
const oneDropBytes = 700

/** True for an offer or estimate with several drops, by the length of its body: it is counted before it is parsed. */
function isPlan({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const length = Number(headers['content-length'] ?? Number.NaN)
  return !(length <= oneDropBytes)
}

/** Resolves the user id of a request's session; null for visitors and invalid sessions. */
export type UserOf = (headers: FastifyRequest['headers']) => Promise<string | null>

/** Limits for routes without a specific one. */
export type GeneralLimits = Pick<Limits, 'all' | 'user' | 'assets'>

const keyLimit = 50_000

/** Counts requests per route or route group, in one bounded memory; with `common`, those of all servers together. */
export async function limitRequests(
  server: FastifyInstance,
  limits: GeneralLimits,
  userOf: UserOf,
  common?: CommonCounts,
): Promise<void> {
  const counts = countTogether('requests', keyLimit, common)
  class Store implements FastifyRateLimitStore {
    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow: number,
      max: number,
    ): void {
      const count = async () => {
        const { count: current, leftMs } = await counts.add(key, timeWindow, max)
        callback(null, { current, ttl: Math.ceil(leftMs) })
      }
      void count()
    }
    child(): Store {
      return this
    }
  }
  await server.register(rateLimit, {
    max: (_request, key) => {
      if (key.endsWith(assets)) return limits.assets
      return isUser(key) ? limits.user : limits.all
    },
    timeWindow: 60_000,
    store: Store,
    keyGenerator: async (request) => {
      const user = await userOf(request.headers)
      const client = user === null ? `address ${rateLimitKey(request.ip)}` : `user ${user}`
      // Routes with their own limit add the name of their group.
      return `${client} ${categoryOf(request)}`
    },
    errorResponseBuilder: ({ routeOptions }, { ttl }) => {
      metrics.rateLimited.inc({ route: routeOptions.url ?? 'unknown' })
      return new Refusal('too_many_requests', { data: { retryAfterS: Math.max(1, Math.ceil(ttl / 1000)) } })
    },
  })
}

const assets = 'assets'
/** Whether a key is a signed-in user's, not that of visitors. */
const isUser = (key: string) => key.startsWith('user ')

function categoryOf(request: FastifyRequest): string {
  if (request.is404) return 'pages'
  return request.url.startsWith('/assets/') ? assets : ''
}
