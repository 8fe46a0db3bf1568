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
