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
