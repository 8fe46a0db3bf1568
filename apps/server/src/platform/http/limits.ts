import type { ContractRoute } from './mount-contract.ts'

/** Requests a minute that one address may make; signed-in people behind one address share them. */
export interface Limits {
  all: number
  signIn: number
  /** Search, address and route: open to visitors. */
  places: number
  /** Fares and estimates: open to visitors, and each computes routes. */
  offers: number
  setup: number
  /** Forms of orders, and browsers that come back from providers. */
  payments: number
  /** What providers tell; each speaks from a few addresses. */
  webhooks: number
}

/** Generous: an office behind one address must not meet them. */
export const defaultLimits: Limits = {
  all: 3_000,
  signIn: 120,
  places: 900,
  offers: 300,
  setup: 20,
  payments: 120,
  webhooks: 1_200,
}

const signUpFunctions = ['functions.validateReferrer', 'functions.checkUserExists', 'functions.userSignUp']

/** The limit of one route of the contract; undefined when only the general one holds. */
export function limitOf(route: ContractRoute, limits: Limits): number | undefined {
  const noun = route.name.split('.', 1)[0]
  if (signUpFunctions.includes(route.name)) return limits.signIn
  if (noun === 'accounts' && route.name !== 'accounts.session') return limits.signIn
  if (noun === 'places' || noun === 'functions') return limits.places
  if (route.name === 'bookings.offers' || route.name === 'bookings.estimate') return limits.offers
  if (route.name === 'setup.create') return limits.setup
  return undefined
}
