import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey } from './address-key.ts'
import { Counts } from './counts.ts'
import type { ContractRoute } from './mount-contract.ts'

/**
 * Requests a minute of one who asks: a signed-in person, wherever they are, or the address of visitors (an IPv6 network
 * as one). People behind one address of a mobile network do not count together once they have signed in.
 */
export interface Limits {
  /** All routes without a limit of their own. */
  all: number
  person: number
  signIn: number
  /** Search, address, route and shared trips: open to visitors. */
  places: number
  /** Fares and estimates: open to visitors, and each computes routes. */
  offers: number
  setup: number
  /** Forms of orders, and browsers that come back from providers. */
  payments: number
  /** What providers tell; each speaks from a few addresses. */
  webhooks: number
  /** Pages, and paths that nobody knows. */
  pages: number
  /** Scripts, styles and fonts: a first visit asks for some dozens. */
  assets: number
  tiles: number
  health: number
  /** New bookings: each asks drivers. */
  bookings: number
  /** Tables as files, all tables together. */
  exports: number
  /** Orders of mails and texts, an hour. */
  messages: number
  /** New people by the office, an hour: each gets a mail. */
  invitations: number
}

/** Generous: an office, or the sign-in of a mobile network, behind one address must not meet them. */
export const defaultLimits: Limits = {
  all: 6_000,
  person: 1_800,
  signIn: 1_500,
  places: 1_800,
  offers: 600,
  setup: 20,
  payments: 600,
  webhooks: 1_200,
  pages: 1_200,
  assets: 60_000,
  tiles: 3_000,
  health: 600,
  bookings: 30,
  exports: 12,
  messages: 60,
  invitations: 150,
}

const signUpFunctions = ['functions.validateReferrer', 'functions.checkUserExists', 'functions.userSignUp']
/** Each sends something to somebody. */
const senders = [
  'receipts.mail',
  'users.invite',
  'functions.sendNotification',
  'accounts.requestEmailChange',
  'accounts.requestMobileChange',
  'integrations.test',
]
const hourMs = 3_600_000

/** The limit of one route of the contract; undefined when only the general one holds. */
export function limitOf(
  route: ContractRoute,
  limits: Limits,
): { max: number; timeWindow?: number; groupId?: string } | undefined {
  const noun = route.name.split('.', 1)[0]
  if (senders.includes(route.name)) {
    return { max: limits.messages, timeWindow: hourMs, groupId: 'messages' }
  }
  if (route.name === 'users.create') return { max: limits.invitations, timeWindow: hourMs }
  if (signUpFunctions.includes(route.name)) return { max: limits.signIn }
  if (noun === 'accounts' && route.name !== 'accounts.session') return { max: limits.signIn }
  if (noun === 'places' || noun === 'functions' || route.name === 'tripLinks.show') {
    return { max: limits.places }
  }
  if (route.name === 'bookings.offers' || route.name === 'bookings.estimate') return { max: limits.offers }
  if (route.name === 'bookings.create') return { max: limits.bookings }
  if (route.name === 'setup.create') return { max: limits.setup }
  return undefined
}

/** Who asks: the id of whoever a request's session belongs to, null for visitors and for what only looks like one. */
export type PersonOf = (headers: FastifyRequest['headers']) => Promise<string | null>

/** What holds for routes that name no limit of their own. */
export type GeneralLimits = Pick<Limits, 'all' | 'person' | 'assets'>

const remembered = 50_000

/** Counts every request to a route, each route or group of routes for itself, in one bounded memory. */
export async function limitRequests(
  server: FastifyInstance,
  limits: GeneralLimits,
  personOf: PersonOf,
): Promise<void> {
  const counts = new Counts(remembered)
  class Store implements FastifyRateLimitStore {
    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow: number,
    ): void {
      const { count, leftMs } = counts.add(key, timeWindow)
      callback(null, { current: count, ttl: Math.ceil(leftMs) })
    }
    child(): Store {
      return this
    }
  }
  await server.register(rateLimit, {
    max: (_request, key) => {
      if (key.endsWith(assets)) return limits.assets
      return key.startsWith('person') ? limits.person : limits.all
    },
    timeWindow: 60_000,
    store: Store,
    keyGenerator: async (request) => {
      const person = await personOf(request.headers)
      const asker = person === null ? `address ${addressKey(request.ip)}` : `person ${person}`
      // Routes with a limit add their group's name.
      return `${asker} ${sortOf(request)}`
    },
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('too_many_requests', { data: { retryAfterS: Math.max(1, Math.ceil(ttl / 1000)) } }),
  })
}

const assets = 'assets'

function sortOf(request: FastifyRequest): string {
  if (request.is404) return 'pages'
  return request.url.startsWith('/assets/') ? assets : ''
}
