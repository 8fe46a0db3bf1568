import { checkRecipient, type Mail, type MailMessage } from './port.ts'

/** Where messages go that no server carries. */
export type KeepMail = (message: Omit<MailMessage, 'html'> & { channel: 'mail' }) => Promise<void>

/** Mail without a mail server: every message is kept, to be read by whoever runs the platform. */
export function embeddedMail(keep: KeepMail): Mail {
  return {
    send: async ({ to, subject, text, kind, params }) => {
      checkRecipient(to)
      await keep({ channel: 'mail', to, subject, text, kind, params })
    },
    close: () => {},
  }
}
