/** The user types of the platform. */
export const roles = ['rider', 'driver', 'fleetadmin', 'admin'] as const
export type Role = (typeof roles)[number]

/** Who can give a command: a user of a role, or the platform itself through a durable job. */
export const actorRoles = [...roles, 'system'] as const
export type ActorRole = (typeof actorRoles)[number]
