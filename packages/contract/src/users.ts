import { userCommands } from '@hansom/domain/access/user-commands'
import { bookingStatuses, paymentModes } from '@hansom/domain/bookings/status'
import { maxUnread, notificationKinds } from '@hansom/domain/notifications/kinds'
import { pushPlatforms } from '@hansom/domain/push-notifications/push-notification'
import { roles } from '@hansom/domain/users/roles'
import { z } from 'zod'
import { base } from './base.ts'
import {
  amount,
  cursor,
  id,
  instant,
  latitude,
  longitude,
  pageOf,
  placePoint,
  rowVersion,
  shortText,
} from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'
import { changesShape, newUserShape, viewShape } from './users-fields.ts'
import { usersTableSpec } from './users-table.ts'

export const savedAddress = z.object({
  id,
  /** The street address, used when booking a trip to this place. */
  description: z.string(),
  /** The owner's name for the place, shown to no one else. */
  label: z.string().nullable(),
  lat: z.number(),
  lng: z.number(),
  count: z.int(),
})

/** A user's named state of a table: its sort, filters and columns as search parameters of the page's URL. */
export const savedView = z.object({ name: z.string(), search: z.string() })
export type SavedView = z.infer<typeof savedView>
/** The most views of one table that a user can save. */
export const maxSavedViews = 50

/** The signed-in user, in their own view. */
export const me = z.object(viewShape('me'))
export type Me = z.infer<typeof me>

/** A stored notification: text keys with their parameters, and the screen it opens. */
export const userNotification = z.object({
  id,
  at: instant,
  title: z.string(),
  msg: z.string(),
  kind: z.enum(notificationKinds),
  params: z.record(z.string(), z.string()),
  screen: z.string(),
  booking: id.nullable(),
  read: z.boolean(),
})
export type UserNotification = z.infer<typeof userNotification>

export const walletEntry = z.object({
  id,
  type: z.enum(['Credit', 'Debit', 'Withdraw']),
  amount,
  date: instant,
  txRef: z.string(),
  kind: z.string(),
})

/**
 * A user in the admin view. Fields the viewer may not see are null; on a demo that hides contacts, the email and mobile
 * of riders and drivers are placeholders.
 */
export const userView = z.object({
  ...viewShape('user'),
  /** Commands the viewer may give for this user now; screens show buttons for these only. */
  commands: z.array(z.enum(userCommands)),
})
export type UserView = z.infer<typeof userView>

/**
 * A person who calls the office, found by their number. An account has `guest` false; it may not have proven the number.
 */
export const caller = z.object({
  uid: id,
  name: z.string(),
  mobile: z.string(),
  guest: z.boolean(),
  /** The account has proven the number; otherwise it may have a stranger's. */
  proven: z.boolean(),
  /** False when an admin has withdrawn the approval: no trip can be booked. */
  approved: z.boolean(),
  walletBalance: amount,
  /** The amount that the next cash trip collects. */
  outstanding: amount,
  /** Addresses without the rider's private labels, most visited first. */
  places: z.array(placePoint),
  /** The last trips, newest first, at most `callerTrips`. */
  trips: z.array(
    z.object({
      id,
      booking_id: z.string(),
      status: z.enum(bookingStatuses),
      tripdate: instant,
      pickup: placePoint,
      drop: placePoint,
      car_type_id: id,
      carType: z.string(),
      payment_mode: z.enum(paymentModes),
    }),
  ),
})
export type Caller = z.infer<typeof caller>
export const callerTrips = 5

/** A user with their newest ratings, at most `shownRatings`: who rated, and the stars given. */
export const userDetails = userView.extend({
  ratings: z.object({
    /** The average of all ratings, to one decimal; null if there are no ratings. */
    userrating: z.number().nullable(),
    details: z.array(z.object({ user: id, rate: z.int() })),
  }),
})
export type UserDetails = z.infer<typeof userDetails>
export const shownRatings = 100

/**
 * The fields that an admin, or a fleet admin for their own drivers, fills in; the user sets a password with the
 * invitation.
 */
export const newUser = z.strictObject({
  usertype: z.enum(roles),
  ...newUserShape(),
  email: z.string().trim().max(254),
  /** In any written form; without a plus sign or 00 it is a number of the service's country. Stored as E.164. */
  mobile: z.string().trim().max(30).optional(),
})
export type NewUser = z.infer<typeof newUser>

/** The version as read: throws conflict when it has changed since. */
const seenVersion = rowVersion

/** The balance as the caller has read it: it is given up with the account. Refused when it has changed. */
const givenUp = amount.positive().optional()

/** What a deletion must settle first. */
export const obligations = z.object({
  /** A trip in progress. */
  trip: z.boolean(),
  /** A trip that waits for payment. */
  unpaid: z.boolean(),
  withdrawal: z.boolean(),
  /** A card payment or refund in progress. */
  payment: z.boolean(),
  /** Null for fleet admins. */
  balance: amount.nullable(),
})
export type Obligations = z.infer<typeof obligations>

const address = z.object({
  description: shortText.min(1),
  label: shortText.optional(),
  lat: latitude,
  lng: longitude,
})
/** The name that a screen gives its table. */
const tableName = z.string().regex(/^[a-zA-Z-]{1,40}$/)
const done = z.object({ ok: z.literal(true) })
const userCommand = <P extends string>(command: P, summary: string) =>
  base.route({ method: 'POST', path: `/api/v1/users/{id}/${command}` as const, tags: ['users'], summary })

/**
 * Users: the signed-in user, and others for admins. Not in this contract, because they are opened by the browser or not
 * JSON: `PUT /api/v1/me/photo`, a multipart form with one part `image` (JPEG, PNG or WebP of at most 8 MB), returns
 * `me`; `PUT /api/v1/users/{id}/licence?version=`, the same form, stores a driver's licence for the back office and
 * returns the user; `GET /api/v1/users/{id}/photo` returns the picture, for those who may see that user; `GET /api/v1/me/data`
 * downloads all data about the signed-in user as JSON.
 */
export const usersContract = {
  /** Null when no one is signed in. */
  me: base.route({ method: 'GET', path: '/api/v1/me', tags: ['users'] }).output(me.nullable()),
  /** The email address and the mobile have separate routes, which verify them first. */
  updateMe: base
    .route({ method: 'PATCH', path: '/api/v1/me', tags: ['users'] })
    .input(z.strictObject({ ...changesShape('self'), version: seenVersion }))
    .output(me),
  /** Stores the language of mails, texts and push notifications to the user. */
  setLanguage: base
    .route({ method: 'PUT', path: '/api/v1/me/language', tags: ['users'] })
    .input(z.strictObject({ locale: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/) }))
    .output(me),
  removePhoto: base.route({ method: 'DELETE', path: '/api/v1/me/photo', tags: ['users'] }).output(me),
  /**
   * Deletes the user's own account and signs out everywhere. Requires the password, or a session of the last ten
   * minutes (password_needed otherwise). Refused while a trip, a debt, a withdrawal or a payment is open: open_booking,
   * unpaid_booking, open_debt, open_withdrawal, open_payment; and with a balance that is not given up: open_balance.
   */
  deleteMe: base
    .route({ method: 'POST', path: '/api/v1/me/deletion', tags: ['users'] })
    .input(z.strictObject({ password: z.string().max(128).optional(), giveUp: givenUp }))
    .output(done),
  ownObligations: base
    .route({ method: 'GET', path: '/api/v1/me/obligations', tags: ['users'] })
    .output(obligations),
  savedAddresses: base
    .route({ method: 'GET', path: '/api/v1/me/addresses', tags: ['users'] })
    .output(z.array(savedAddress)),
  addAddress: base
    .route({ method: 'POST', path: '/api/v1/me/addresses', tags: ['users'], successStatus: 201 })
    .input(address.strict())
    .output(savedAddress),
  renameAddress: base
    .route({ method: 'PATCH', path: '/api/v1/me/addresses/{id}', tags: ['users'] })
    /** An empty label removes the name. */
    .input(z.strictObject({ id, label: shortText }))
    .output(savedAddress),
  removeAddress: base
    .route({ method: 'DELETE', path: '/api/v1/me/addresses/{id}', tags: ['users'] })
    .input(z.strictObject({ id }))
    .output(done),
  /** The user's saved views of a table, by name. */
  savedViews: base
    .route({ method: 'GET', path: '/api/v1/me/views', tags: ['users'] })
    .input(z.object({ table: tableName }))
    .output(z.array(savedView)),
  /** Saves a view under a name, replacing an earlier one; without `search` it is removed. Throws too_many_views. */
  saveView: base
    .route({ method: 'PUT', path: '/api/v1/me/views', tags: ['users'] })
    .input(
      z.strictObject({
        table: tableName,
        name: z.string().trim().min(1).max(40),
        search: z.string().max(2000).nullable(),
      }),
    )
    .output(z.array(savedView)),
  notifications: base
    .route({ method: 'GET', path: '/api/v1/me/notifications', tags: ['users'] })
    .input(
      z.object({
        cursor: cursor.optional(),
        kind: z.enum(notificationKinds).optional(),
        /** Only those that the user has not read. */
        unread: z.stringbool().optional(),
      }),
    )
    .output(z.object({ ...pageOf(userNotification).shape, unread: z.int().max(maxUnread) })),
  /** Marks these notifications as read, or all of them; returns their number. */
  readNotifications: base
    .route({ method: 'POST', path: '/api/v1/me/notifications/read', tags: ['users'] })
    .input(z.strictObject({ ids: z.array(id).min(1).max(100).optional() }))
    .output(z.object({ read: z.int() })),
  /** Sets the device token for the user's notifications, replacing any earlier one. */
  setPushToken: base
    .route({ method: 'PUT', path: '/api/v1/me/push-token', tags: ['users'] })
    .input(z.strictObject({ token: z.string().trim().min(1).max(500), platform: z.enum(pushPlatforms) }))
    .output(done),
  removePushToken: base
    .route({ method: 'DELETE', path: '/api/v1/me/push-token', tags: ['users'] })
    .output(done),
  wallet: base
    .route({ method: 'GET', path: '/api/v1/me/wallet', tags: ['wallet'] })
    .input(z.object({ cursor: cursor.optional() }))
    .output(z.object({ balance: amount, items: z.array(walletEntry), next: cursor.nullable() })),

  /**
   * Riders with a phone number in any written form: an account, a guest, or both; accounts first. Nothing for an
   * incomplete number, or on a demo that hides contacts.
   */
  callers: base
    .route({ method: 'GET', path: '/api/v1/callers', tags: ['users'] })
    .input(z.object({ mobile: z.string().trim().max(30) }))
    .output(z.array(caller)),
  /** A fleet admin gets their own drivers. */
  list: base
    .route({ method: 'GET', path: '/api/v1/users', tags: ['users'] })
    .input(tableInput(usersTableSpec))
    .output(pageOf(userView)),
  count: base
    .route({ method: 'GET', path: '/api/v1/users/count', tags: ['users'] })
    .input(tableCountInput(usersTableSpec))
    .output(tableCount),
  get: base
    .route({ method: 'GET', path: '/api/v1/users/{id}', tags: ['users'] })
    .input(z.object({ id }))
    .output(userDetails),
  /**
   * Throws user_exists for a taken email or mobile. Accounts made by an admin are approved; a fleet admin's driver is
   * not.
   */
  create: base
    .route({ method: 'POST', path: '/api/v1/users', tags: ['users'], successStatus: 201 })
    .input(newUser)
    .output(userView),
  update: base
    .route({ method: 'PATCH', path: '/api/v1/users/{id}', tags: ['users'] })
    .input(z.strictObject({ id, version: seenVersion, ...changesShape('fleetadmin', 'admin') }))
    .output(userView),
  obligations: base
    .route({ method: 'GET', path: '/api/v1/users/{id}/obligations', tags: ['users'] })
    .input(z.object({ id }))
    .output(obligations),
  /** Throws the errors of `deleteMe`. Only an admin gives up a balance. */
  remove: base
    .route({ method: 'DELETE', path: '/api/v1/users/{id}', tags: ['users'] })
    .input(z.strictObject({ id, giveUp: givenUp }))
    .output(done),
  /** The user is told that they can sign in. Throws conflict when the user has changed since `version`. */
  approve: userCommand('approve', 'An admin approves a user.')
    .input(z.strictObject({ id, version: seenVersion }))
    .output(userView),
  /**
   * Signs the user out immediately. With a reason the account is rejected: the user is told the reason, and reads it when
   * they sign in. Without one it waits for approval again. Throws last_admin, open_booking, conflict.
   */
  disapprove: userCommand('disapprove', 'An admin rejects a user, or revokes their approval.')
    .input(z.strictObject({ id, version: seenVersion, reason: z.string().trim().max(300).optional() }))
    .output(userView),
  change_type: userCommand('change-type', 'An admin changes a user’s type.')
    .input(z.strictObject({ id, usertype: z.enum(roles), version: seenVersion }))
    .output(userView),
  assign_fleet: userCommand('assign-fleet', 'An admin assigns a driver to a fleet, or removes them from it.')
    .input(z.strictObject({ id, fleetadmin: id.nullable(), version: seenVersion }))
    .output(userView),
  /**
   * An admin corrects an email address or number (null: none). The new contact is unverified, the user is signed out
   * everywhere, and both the old and the new contact are notified. Throws `user_exists` when another user has it.
   */
  correct_contact: userCommand('correct-contact', 'An admin corrects an email address or number.')
    .input(
      z.strictObject({
        id,
        version: seenVersion,
        email: z.string().trim().max(254).optional(),
        mobile: z.string().trim().max(30).nullable().optional(),
      }),
    )
    .output(userView),
  /**
   * Users whose numbers an older version stored as two forms of the same number, the current owner first. An admin
   * contacts them, and removes the number from the others with `correct_contact`.
   */
  phoneCollisions: base
    .route({ method: 'GET', path: '/api/v1/phone-collisions', tags: ['users'] })
    .output(z.array(z.object({ mobile: z.string(), people: z.array(userView) }))),
  invite: userCommand('invite', 'Resends the invitation to set a password.')
    .input(z.strictObject({ id }))
    .output(done),
}

/** A map that the server has prepared. `id` names it in commands. */
const preparedMap = z.object({
  id: z.string(),
  name: z.string(),
  /** ISO 3166-1 alpha-2. */
  countryCode: z.string(),
})

/** The city that a new installation serves, and how to change it. */
const setupCity = preparedMap.extend({
  /** ISO 639-1 codes, the most used first. */
  languages: z.array(z.string()),
  /** Other maps that are ready to be used. */
  others: z.array(preparedMap),
  /** The DATA_DIR that the commands for maps need; null: none. */
  dataDir: z.string().nullable(),
})
export type SetupCity = z.infer<typeof setupCity>

export const setupContract = {
  /** Whether the first admin still has to be created; `city` only with the token of the one-time link. */
  state: base
    .route({ method: 'GET', path: '/api/v1/setup', tags: ['setup'] })
    .input(z.object({ token: z.string().max(200).optional() }))
    .output(z.object({ open: z.boolean(), city: setupCity.nullable() })),
  /** Creates the first admin; `token` is in the one-time link that the server's log shows. */
  create: base
    .route({ method: 'POST', path: '/api/v1/setup', tags: ['setup'], successStatus: 201 })
    .input(
      z.strictObject({
        token: z.string().max(200),
        firstName: z.string().trim().min(1).max(80),
        lastName: z.string().trim().min(1).max(80),
        email: z.email().max(254),
        /** Follows the same rule as every password: password_alphaNumeric_check. */
        password: z.string().max(200),
      }),
    )
    .output(z.object({ uid: id })),
}
