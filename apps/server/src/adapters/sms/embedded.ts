import { checkNumber, type Sms, type SmsMessage } from './port.ts'

/** Where messages go that no service carries. */
export type KeepSms = (message: SmsMessage & { channel: 'sms'; subject: '' }) => Promise<void>

/** Text messages without a service: every message is kept, to be read by whoever runs the platform. */
export function embeddedSms(keep: KeepSms): Sms {
  return {
    send: async ({ to, text, kind, params }) => {
      checkNumber(to)
      await keep({ channel: 'sms', subject: '', to, text, kind, params })
    },
  }
}
