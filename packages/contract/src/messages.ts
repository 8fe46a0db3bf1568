import { mailTopics } from '@hansom/domain/messages/topics'
import { z } from 'zod'
import { base } from './base.ts'

/** What a rider gets about their trips, besides messages about the account. */
const preferences = {
  mails: z.array(z.enum(mailTopics)).max(mailTopics.length),
  /** Text messages; off while the phone number is not verified. */
  texts: z.boolean(),
}

export const messagesContract = {
  preferences: base
    .route({ method: 'GET', path: '/api/v1/me/messages', tags: ['messages'] })
    .output(z.object(preferences)),
  /** Replaces them, and returns what is stored. */
  setPreferences: base
    .route({ method: 'PUT', path: '/api/v1/me/messages', tags: ['messages'] })
    .input(z.strictObject(preferences))
    .output(z.object(preferences)),
}
