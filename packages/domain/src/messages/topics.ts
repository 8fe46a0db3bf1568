/** What riders get by email besides messages about their account, in the order of the preferences. */
export const mailTopics = ['booking', 'reminder', 'driver', 'receipt'] as const
export type MailTopic = (typeof mailTopics)[number]

/**
 * Messages about the account, codes of a trip or parcel, and calls for help to trusted contacts: the daily limits count them
 * apart and have a reserve for them.
 */
export const essentialMessages: readonly string[] = [
  'reset',
  'verify_email',
  'invitation',
  'prove_mobile',
  'change_email',
  'email_changed',
  'contact_corrected',
  'password_changed',
  'account_approved',
  'account_rejected',
  'sign_in_code',
  'change_mobile',
  'provider_test',
  'contact_help',
  'contact_help_sms',
  'contact_help_place_sms',
  'caller_accepted_code',
  'parcel_coming_code_mail',
  'parcel_coming_code_sms',
]

/** What a rider wants to get about their trips. */
export interface MessagePreferences {
  mails: MailTopic[]
  /** Text messages; they need a verified phone number. */
  texts: boolean
}

/** Emails are rare enough to be on. Text messages cost the platform money, so a rider asks for them. */
export const defaultPreferences: MessagePreferences = { mails: [...mailTopics], texts: false }

/** The preferences as they are stored: without duplicates, and without texts to a number that is not verified. */
export function tidyPreferences(
  { mails, texts }: MessagePreferences,
  { phoneVerified }: { phoneVerified: boolean },
): MessagePreferences {
  return { mails: mailTopics.filter((topic) => mails.includes(topic)), texts: texts && phoneVerified }
}
