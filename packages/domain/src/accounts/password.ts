import type { ErrorKey } from '../error-keys.ts'

/** Password policies. The platform uses `alphanumeric`. */
export const passwordModes = ['alphanumeric', 'any', 'complex'] as const
export type PasswordMode = (typeof passwordModes)[number]

const rules: Record<PasswordMode, { fits(password: string): boolean; error: ErrorKey }> = {
  alphanumeric: {
    fits: (password) => /^[A-Za-z0-9@*#]{6,30}$/.test(password),
    error: 'password_alphaNumeric_check',
  },
  any: { fits: (password) => password.length > 0, error: 'password_blank_messege' },
  complex: {
    fits: (password) =>
      /^\S{8,30}$/.test(password) &&
      [/\d/, /[a-z]/, /[A-Z]/, /[^A-Za-z0-9\s]/].every((kind) => kind.test(password)),
    error: 'password_complexity_check',
  },
}

/**
 * Why a password is refused, or null. `alphanumeric`: 6 to 30 letters, digits and @ * #; `any`: not empty; `complex`: 8
 * to 30 characters with a digit, a lowercase and an uppercase letter and a special character, and no spaces.
 */
export function passwordError(password: string, mode: PasswordMode = 'alphanumeric'): ErrorKey | null {
  const { fits, error } = rules[mode]
  return fits(password) ? null : error
}
