import { checkRecipient, type Mail, type MailMessage } from './port.ts'

/** Stores messages that no mail server delivers. */
export type StoreMail = (
  message: Pick<MailMessage, 'to' | 'subject' | 'text' | 'html' | 'kind' | 'params'> & { channel: 'mail' },
) => Promise<void>

/** Mail without a mail server: stores every message for the operator to read. */
export function embeddedMail(keep: StoreMail): Mail {
  return {
    send: async ({ to, subject, text, html, kind, params }) => {
      checkRecipient(to)
      await keep({ channel: 'mail', to, subject, text, html, kind, params })
    },
    close: () => {},
  }
}
