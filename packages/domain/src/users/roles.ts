/** The user types of the platform. */
export const roles = ['rider', 'driver', 'fleetadmin', 'admin'] as const
export type Role = (typeof roles)[number]

/** Who can give a command: a user of a role, or the platform itself through a durable job. */
export const actorRoles = [...roles, 'system'] as const
export type ActorRole = (typeof actorRoles)[number]

/** Who may have caused an event of a booking: also a recipient, who has no account. */
export const eventActors = [...actorRoles, 'recipient'] as const
export type EventActor = (typeof eventActors)[number]
