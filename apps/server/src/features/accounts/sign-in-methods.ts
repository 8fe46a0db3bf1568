import type { SettingsService } from '../settings/service.ts'

/** The sign-in methods besides email and password. */
export interface SignInMethods {
  /** Returns the methods that are switched on and, for social ones, configured. */
  enabled(): Promise<{ phone: boolean; facebook: boolean; apple: boolean }>
}

export function createSignInMethods(
  settings: SettingsService,
  configured: { facebook: boolean; apple: boolean },
): SignInMethods {
  return {
    enabled: async () => {
      const { MobileLoginEnabled, FacebookLoginEnabled, AppleLoginEnabled } = await settings.current()
      return {
        phone: MobileLoginEnabled,
        facebook: FacebookLoginEnabled && configured.facebook,
        apple: AppleLoginEnabled && configured.apple,
      }
    },
  }
}
