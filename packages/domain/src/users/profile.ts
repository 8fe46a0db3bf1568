import type { PlacePoint } from '../bookings/booking.ts'
import { greatCircleKm } from '../geo/point.ts'

/** A place a rider went to, and the number of trips there. */
export interface SavedAddress {
  /** The street address, used when booking a trip to this place. */
  description: string
  /** The owner's name for the place, shown to no one else; null without a name. */
  label: string | null
  lat: number
  lng: number
  count: number
}

/** Two drops within this distance are the same place, km. */
export const sameAddressKm = 0.1

/** The most places a person may add. */
export const maxSavedAddresses = 100

/** The list after a trip to `drop`: increments the nearest place within 0.1 km, or adds a new one. */
export function savedAddressesAfter(list: readonly SavedAddress[], drop: PlacePoint): SavedAddress[] {
  let nearest = -1
  let nearestKm = sameAddressKm
  list.forEach((address, index) => {
    const km = greatCircleKm(address, drop)
    if (km <= nearestKm) {
      nearest = index
      nearestKm = km
    }
  })
  if (nearest < 0)
    return [...list, { description: drop.add, label: null, lat: drop.lat, lng: drop.lng, count: 1 }]
  return list.map((address, index) =>
    index === nearest ? { ...address, count: address.count + 1 } : address,
  )
}

/** Average of `count` ratings that add up to `sum`, to one decimal, half up; 0 without ratings. */
export function averageRating(sum: number, count: number): number {
  return count > 0 ? Math.round((sum * 10) / count) / 10 : 0
}

/** True for a valid rating: 1 to 5, an integer. */
export function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 1 && rate <= 5
}

/** Whether an account may be used: it waits for an admin, or one has approved or rejected it. */
export const approvals = ['waiting', 'approved', 'rejected'] as const
export type Approval = (typeof approvals)[number]

export function approvalOf(user: { approved: boolean; rejection: string | null }): Approval {
  if (user.approved) return 'approved'
  return user.rejection === null ? 'waiting' : 'rejected'
}

/** Notifications about an account; their texts are `notify.<notice>.title` and `.msg`. */
export const accountNotices = ['account_approved', 'account_rejected'] as const
export type AccountNotice = (typeof accountNotices)[number]

/** The sign-up method of an account, for its referral id. */
export type SignUpMethod = 'email' | 'mobile' | 'facebook' | 'apple'

/**
 * The referral id of a new user: the lowercased first name and an integer from 1000 to 9999. `random` is from 0 up to
 * (not including) 1. Apple hides names, so these accounts use 'rider'; without a name, 'temp'.
 */
export function referralId(firstName: string | null, random: number, way: SignUpMethod = 'email'): string {
  const number = 1000 + Math.min(8999, Math.floor(random * 9000))
  const name = (firstName ?? '').toLowerCase().replace(/\s+/g, '')
  return `${way === 'apple' ? 'rider' : name || 'temp'}${number}`
}
