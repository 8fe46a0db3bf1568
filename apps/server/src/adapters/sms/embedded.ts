import { checkNumber, type Sms, type SmsMessage } from './port.ts'

/** Stores text messages that no service delivers. */
export type StoreSms = (
  message: Omit<SmsMessage, 'person'> & { channel: 'sms'; subject: '' },
) => Promise<void>

/** Text messages without a service: stores every message for the operator to read. */
export function embeddedSms(keep: StoreSms): Sms {
  return {
    send: async ({ to, text, kind, params }) => {
      checkNumber(to)
      await keep({ channel: 'sms', subject: '', to, text, kind, params })
    },
  }
}
