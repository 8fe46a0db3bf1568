import type { Role } from '../users/roles.ts'
import type { UserRelation } from './user-relation.ts'

/** What the office may do with a person. */
export const userCommands = [
  'update',
  'remove',
  'approve',
  'disapprove',
  'change_type',
  'assign_fleet',
  'invite',
] as const
export type UserCommand = (typeof userCommands)[number]

/** What decides which commands fit a person. */
export interface CommandedUser {
  usertype: Role
  approved: boolean
  /** An admin or fleet admin has made the account, and nobody has chosen its password yet. */
  invited: boolean
}

/** The commands of somebody who is `relation` to a person: the buttons of a screen. */
export function userCommandsOf(user: CommandedUser, relation: UserRelation): UserCommand[] {
  if (relation === 'self') return []
  return userCommands.filter((command) => {
    if (command === 'invite') return user.invited
    if (command === 'update' || command === 'remove') return true
    if (relation !== 'admin') return false
    if (command === 'approve') return !user.approved
    if (command === 'disapprove') return user.approved
    return command === 'change_type' || user.usertype === 'driver'
  })
}

/** Whom somebody of a user type may add: an admin everybody, a fleet admin drivers of the own fleet. */
export function mayAdd(adder: Role, usertype: Role): boolean {
  return adder === 'admin' || (adder === 'fleetadmin' && usertype === 'driver')
}
