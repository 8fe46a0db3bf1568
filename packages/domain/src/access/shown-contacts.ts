import type { Role } from '../users/roles.ts'

/** What stands for a contact on a demo that hides them. */
export const hiddenForDemo = 'Hidden for Demo'

/** An e-mail address or mobile as the office sees it: those of riders and drivers are hidden where the demo hides them. */
export function shownContact(contact: string, usertype: Role, hidesContacts: boolean): string {
  return hidesContacts && (usertype === 'rider' || usertype === 'driver') ? hiddenForDemo : contact
}
