import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'

/** The most trusted contacts of a user. */
export const maxTrustedContacts = 3

export const maxContactName = 40

/** Why a trusted contact gets a message: the rider pressed the button, the trip started, or their person called for help. */
export const contactCauses = ['asked', 'started', 'help'] as const
export type ContactCause = (typeof contactCauses)[number]

/** How often the link of one trip may be sent on request, and the pause between two times, ms. */
export const shareLimits = { presses: 5, pauseMs: 20_000 } as const

/** When a contact gets messages without being asked for. */
export interface ContactChoices {
  /** The link of every trip, when it starts. */
  share_always: boolean
  /** A message when the person calls for help. */
  on_help: boolean
}

/** Whether a contact gets a message for this cause. */
export const wantsMessage = (
  { refused, share_always, on_help }: ContactChoices & { refused: boolean },
  cause: ContactCause,
): boolean => !refused && (cause === 'asked' || (cause === 'started' ? share_always : on_help))

/**
 * Whether a user keeps contacts. A courier has nothing to share with them: a delivery has no call for help, and its link shows
 * where the sender's parcels go.
 */
export const keepsContacts = (role: Role, category: Settings['category']): boolean =>
  role === 'rider' || (role === 'driver' && category === 'taxi')

/** The channels of a message to a contact who can be reached by both. Only a call for help is worth two messages. */
export function channelsTo(
  { mobile, email }: { mobile: string | null; email: string | null },
  cause: ContactCause,
): ('mail' | 'sms')[] {
  const channels = [
    ...(email === null ? [] : ['mail' as const]),
    ...(mobile === null ? [] : ['sms' as const]),
  ]
  return cause === 'help' ? channels : channels.slice(0, 1)
}
