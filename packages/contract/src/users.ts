import { roles } from '@hansom/domain/users/roles'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, cursor, id, instant, pageOf } from './shapes.ts'

export const savedAddress = z.object({
  id,
  description: z.string(),
  lat: z.number(),
  lng: z.number(),
  count: z.int(),
})

/** The signed-in person, as that person sees it. */
export const me = z.object({
  uid: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  mobile: z.string().nullable(),
  usertype: z.enum(roles),
  loginType: z.string(),
  approved: z.boolean(),
  profile_image: z.string().nullable(),
  walletBalance: amount,
  referralId: z.string(),
  rating: z.number().nullable(),
  carType: z.string().nullable(),
  vehicle_number: z.string().nullable(),
  vehicle_make: z.string().nullable(),
  vehicle_model: z.string().nullable(),
  driverActiveStatus: z.boolean().nullable(),
  queue: z.boolean().nullable(),
  version: z.int(),
})
export type Me = z.infer<typeof me>

/** A stored notification: message keys with their parameters, and the screen it leads to. */
export const userNotification = z.object({
  id,
  at: instant,
  title: z.string(),
  msg: z.string(),
  params: z.record(z.string(), z.string()),
  screen: z.string(),
  booking: id.nullable(),
  read: z.boolean(),
})

export const walletEntry = z.object({
  id,
  type: z.enum(['Credit', 'Debit', 'Withdraw']),
  amount,
  date: instant,
  txRef: z.string(),
  kind: z.string(),
})

export const usersContract = {
  /** null when nobody is signed in. */
  me: base.route({ method: 'GET', path: '/api/v1/me', tags: ['users'] }).output(me.nullable()),
  savedAddresses: base
    .route({ method: 'GET', path: '/api/v1/me/addresses', tags: ['users'] })
    .output(z.array(savedAddress)),
  notifications: base
    .route({ method: 'GET', path: '/api/v1/me/notifications', tags: ['users'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(pageOf(userNotification)),
  readNotifications: base
    .route({ method: 'POST', path: '/api/v1/me/notifications/read', tags: ['users'] })
    .output(z.object({ read: z.int() })),
  wallet: base
    .route({ method: 'GET', path: '/api/v1/me/wallet', tags: ['wallet'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(z.object({ balance: amount, items: z.array(walletEntry), next: cursor.nullable() })),
}

export const setupContract = {
  /** Whether the first admin is still to be made. */
  state: base
    .route({ method: 'GET', path: '/api/v1/setup', tags: ['setup'] })
    .output(z.object({ open: z.boolean() })),
  /** Makes the first admin; `token` is in the one-time link that the server's log shows. */
  create: base
    .route({ method: 'POST', path: '/api/v1/setup', tags: ['setup'], successStatus: 201 })
    .input(
      z.strictObject({
        token: z.string().max(200),
        firstName: z.string().trim().min(1).max(80),
        lastName: z.string().trim().min(1).max(80),
        email: z.email().max(254),
        password: z.string().min(8).max(128),
      }),
    )
    .output(z.object({ uid: id })),
}
