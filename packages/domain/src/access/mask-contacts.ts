import type { Role } from '../users/roles.ts'

/** Placeholder for a contact on a demo that hides contacts. */
export const hiddenForDemo = 'Hidden for Demo'

/** An email address or mobile as admins see it: those of riders and drivers are masked where the demo hides them. */
export function maskContact(contact: string, usertype: Role, hidesContacts: boolean): string {
  return hidesContacts && (usertype === 'rider' || usertype === 'driver') ? hiddenForDemo : contact
}
