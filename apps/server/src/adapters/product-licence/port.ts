/** What a licence service is asked: at a sign-in, or about a code that is given with a change of the settings. */
export interface LicenceQuestion {
  reqType: 'auth' | 'settings'
  /** Empty where the installation has none. */
  license: string
  /** When the account of whoever signs in or changes the settings was made, epoch ms. */
  createTime: number
}

/** `no_answer`: nobody answered, or nothing that can be understood. */
export type LicenceAnswer = 'good' | 'refused' | 'no_answer'

/** Asks whoever licenses an installation. */
export interface Licence {
  /** False where nobody is asked: then everything is good. */
  readonly asked: boolean
  /** Never throws. */
  check(question: LicenceQuestion): Promise<LicenceAnswer>
}
