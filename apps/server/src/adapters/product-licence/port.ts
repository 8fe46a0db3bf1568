/** A licence check: at sign-in, or for a code submitted with a settings change. */
export interface LicenceRequest {
  reqType: 'auth' | 'settings'
  /** Empty if the installation has none. */
  license: string
  /** When the account of the user who signs in or changes the settings was created, epoch ms. */
  createTime: number
}

/** `no_answer`: no response, or an invalid one. */
export type LicenceResult = 'good' | 'refused' | 'no_answer'

/** Checks the licence of an installation. */
export interface Licence {
  /** False if there is no licence service; every check then passes. */
  readonly isConfigured: boolean
  /** Never throws. */
  check(question: LicenceRequest): Promise<LicenceResult>
}
