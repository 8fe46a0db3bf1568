/** How an account came to be, as far as the referral id is concerned. */
export type SignUpWay = 'email' | 'mobile' | 'facebook' | 'apple'

/**
 * The referral id of a new user: the lowercased first name and an integer from 1000 to 9999. `random` is from 0 up
 * to (not including) 1. Apple hides names: 'rider' stands there; where a name is absent, 'temp'.
 */
export function referralId(firstName: string | null, random: number, way: SignUpWay = 'email'): string {
  const number = 1000 + Math.min(8999, Math.floor(random * 9000))
  const name = (firstName ?? '').toLowerCase().replace(/\s+/g, '')
  return `${way === 'apple' ? 'rider' : name || 'temp'}${number}`
}
