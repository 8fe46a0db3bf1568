import type { Role } from '../users/roles.ts'
import type { UserRelation } from './relation.ts'

/** The admin commands on a user. */
export const userCommands = [
  'update',
  'remove',
  'approve',
  'disapprove',
  'change_type',
  'assign_fleet',
  'correct_contact',
  'invite',
] as const
export type UserCommand = (typeof userCommands)[number]

/** The fields that decide which commands apply to a user. */
export interface CommandedUser {
  usertype: Role
  approved: boolean
  /** An admin rejected the account. */
  rejected?: boolean
  /** The account was created by an admin or fleet admin and has no password yet. */
  invited: boolean
  /** Has no sign-in: an admin changes only the name and number. */
  guest?: boolean
}

/** The commands available to someone with this `relation` to a user: the buttons of a screen. */
export function userCommandsOf(user: CommandedUser, relation: UserRelation): UserCommand[] {
  if (relation === 'self') return []
  return userCommands.filter((command) => {
    if (command === 'invite') return user.invited
    if (command === 'update' || command === 'remove') return true
    if (relation !== 'admin') return false
    if (command === 'correct_contact') return true
    if (user.guest) return false
    if (command === 'approve') return !user.approved
    if (command === 'disapprove') return user.approved || !user.rejected
    return command === 'change_type' || user.usertype === 'driver'
  })
}

/** True when `adder` may add users of a type: admins any user, fleet admins only their own drivers. */
export function mayAdd(adder: Role, usertype: Role): boolean {
  return adder === 'admin' || (adder === 'fleetadmin' && usertype === 'driver')
}
