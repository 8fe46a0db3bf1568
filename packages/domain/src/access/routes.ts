import { type RoutedCommand, routedCommands, type Transition, transitions } from '../bookings/transitions.ts'
import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'
import { permissions } from './permissions.ts'
import type { Actor, Relation, UserRelation } from './relation.ts'

const everyone = { who: 'everyone' } as const satisfies RouteRule
const signedIn = { who: 'signed in' } as const satisfies RouteRule
/** A map function, called with a bearer token. */
const bearer = { who: 'signed in', signedOut: 'Unable to get user token' } as const satisfies RouteRule
/** The path names something the caller owns; other users' things do not exist for them. */
const own = { who: 'signed in', own: true } as const satisfies RouteRule
const approved = { who: ['rider', 'driver', 'fleetadmin', 'admin'] } as const satisfies RouteRule
const backOffice = { who: ['fleetadmin', 'admin'] } as const satisfies RouteRule
const admin = { who: ['admin'] } as const satisfies RouteRule
const driver = { who: ['driver'] } as const satisfies RouteRule
const rider = { who: ['rider'] } as const satisfies RouteRule
/** The people of trips. */
const traveller = { who: ['rider', 'driver'] } as const satisfies RouteRule
/** Admins only, while critical edits are on. */
const critical = { ...admin, critical: true } as const satisfies RouteRule

const ofDeliveries = { only: 'delivery' } as const
/** Senders for themselves. */
const sender = { ...ofDeliveries, who: ['rider'] } as const satisfies RouteRule
/** Senders for themselves, and admins for a sender. */
const senders = { ...ofDeliveries, who: ['rider', 'admin'] } as const satisfies RouteRule
const sendersOwn = { ...senders, own: true } as const satisfies RouteRule
/** The courier who has the delivery. */
const courier = { ...ofDeliveries, booking: ['driver'] } as const satisfies RouteRule
/** Those who see the proofs of a delivery. */
const proofViewers = {
  ...ofDeliveries,
  booking: ['rider', 'driver', 'fleetadmin', 'admin'],
} as const satisfies RouteRule

/** The two people of a conversation. A conversation that others ask for does not exist. */
const chatters = {
  booking: ['rider', 'driver'],
  absent: 'chat_not_found',
} as const satisfies RouteRule

const ofStops: readonly RoutedCommand[] = ['deliver', 'fail_drop']

/**
 * The commands on a booking, open to the rider, driver and admins of the state machine. A driver's commands are open to
 * asked drivers, too.
 */
const bookingCommands = Object.fromEntries(
  routedCommands.map((command): [string, RouteRule] => {
    const by: Transition['by'] = transitions[command].by
    const relations: Relation[] = []
    if (by.rider) relations.push('rider')
    if (by.driver) relations.push('driver', 'requested')
    if (by.admin) relations.push('admin')
    return [`bookings.${command}`, { booking: relations, ...(ofStops.includes(command) && ofDeliveries) }]
  }),
) as { [C in RoutedCommand as `bookings.${C}`]: RouteRule }

/**
 * Every route with the rule for calling it: the single access policy of the API. The server's guard checks it before
 * the handler runs, a test calls every route as every user type, and a route without a row does not compile.
 */
export const routes = {
  'settings.get': everyone,
  'settings.clock': everyone,
  'pages.reportError': everyone,
  'languages.list': everyone,
  'settings.all': admin,
  'settings.update': critical,
  'languages.pack': everyone,
  'languages.manage': admin,
  'languages.texts': admin,
  'languages.create': critical,
  'languages.update': critical,
  'languages.saveTexts': critical,
  'languages.makeDefault': critical,
  'languages.remove': critical,
  'integrations.list': admin,
  'integrations.test': admin,
  'integrations.messages': admin,
  'integrations.maps': admin,
  'integrations.testMaps': admin,
  'carTypes.list': everyone,
  'carTypes.table': admin,
  'carTypes.count': admin,
  'carTypes.create': { ...admin, critical: true },
  'carTypes.update': { ...admin, critical: true },
  'carTypes.remove': { ...admin, critical: true },
  'cancelReasons.list': everyone,
  'cancelReasons.table': admin,
  'cancelReasons.count': admin,
  'cancelReasons.create': { ...admin, critical: true },
  'cancelReasons.update': { ...admin, critical: true },
  'cancelReasons.move': { ...admin, critical: true },
  'cancelReasons.remove': { ...admin, critical: true },
  'pushNotifications.list': admin,
  'pushNotifications.count': admin,
  'pushNotifications.reach': admin,
  'pushNotifications.get': admin,
  'pushNotifications.create': { ...admin, critical: true },
  'pushNotifications.update': admin,
  'pushNotifications.remove': admin,
  'pushNotifications.send': { ...admin, critical: true },
  'promos.list': admin,
  'promos.count': admin,
  'promos.create': admin,
  'promos.update': admin,
  'promos.remove': { ...admin, critical: true },
  'places.search': everyone,
  'places.place': everyone,
  'places.address': everyone,
  'places.route': everyone,

  'bookings.offers': everyone,
  'bookings.estimate': everyone,
  'bookings.create': {
    who: permissions['booking.create'].roles,
    signedOut: 'must_login',
    others: { driver: 'user_issue_contact_admin', fleetadmin: 'user_issue_contact_admin' },
  },
  'bookings.list': approved,
  'bookings.count': approved,
  'bookings.get': { booking: permissions['booking.see'].relations },
  'bookings.events': { booking: permissions['booking.events'].relations },
  'bookings.quoteChange': { booking: ['rider', 'admin'] },
  'bookings.cancellation': { booking: ['rider', 'driver', 'fleetadmin', 'admin'] },
  'bookings.outstanding': { who: ['rider', 'driver'] },
  ...bookingCommands,

  'deliveries.recipients': sender,
  'deliveries.addRecipient': sender,
  'deliveries.changeRecipient': { ...ofDeliveries, ...own },
  'deliveries.removeRecipient': { ...ofDeliveries, ...own },
  'deliveries.imports': senders,
  'deliveries.startImport': senders,
  'deliveries.showImport': sendersOwn,
  'deliveries.bookImport': sendersOwn,
  'deliveries.stopImport': sendersOwn,

  'dispatch.candidates': admin,
  'dispatch.hold': admin,
  'dispatch.release': admin,
  'dispatch.decisions': admin,
  'dispatch.recent': driver,
  'dispatchRules.list': admin,
  'dispatchRules.count': admin,
  'dispatchRules.create': admin,
  'dispatchRules.update': admin,
  'dispatchRules.remove': { ...admin, critical: true },

  'tracking.latest': { booking: permissions['booking.path'].relations },
  'tracking.path': { booking: permissions['booking.path'].relations },
  'tracking.nearby': everyone,
  // A driver who waits for approval may open the console, which shows the reason.
  'tracking.state': { ...driver, waiting: true },
  'tracking.online': driver,
  'tracking.report': driver,

  'tripLinks.count': { booking: ['rider'] },
  'tripLinks.create': { booking: ['rider'] },
  'tripLinks.revoke': { booking: ['rider'] },
  'tripLinks.correct': { ...ofDeliveries, booking: ['rider', 'admin'] },
  // The link is the permission.
  'tripLinks.show': everyone,
  'tripLinks.instruct': { ...ofDeliveries, ...everyone },

  'chats.show': chatters,
  'chats.send': chatters,
  'chats.mark': chatters,
  'chats.typing': chatters,
  'chats.block': chatters,
  'chats.unblock': chatters,
  'chats.report': chatters,
  // Not while a public demo hides contacts from its admins.
  'chats.read': critical,
  'chats.settleReport': admin,
  'safety.state': { booking: ['rider', 'driver'] },
  'safety.answer': { booking: ['rider', 'driver'] },
  'safety.panic': { booking: ['rider', 'driver'] },
  'safety.contacts': traveller,
  'safety.addContact': { ...traveller, onlyIn: { driver: 'taxi' } },
  'safety.changeContact': { ...traveller, own: true, onlyIn: { driver: 'taxi' } },
  'safety.removeContact': { ...traveller, own: true },
  'safety.share': { booking: ['rider'] },
  'safety.list': backOffice,
  'safety.seen': backOffice,
  'safety.acknowledge': admin,
  'safety.note': admin,
  'safety.resolve': admin,

  'accounts.ways': everyone,
  'accounts.signUp': everyone,
  'accounts.signInByEmail': everyone,
  'accounts.requestPhoneCode': everyone,
  'accounts.signInByPhone': everyone,
  'accounts.provePhone': everyone,
  'accounts.mailPhoneProof': everyone,
  'accounts.signOut': everyone,
  'accounts.session': everyone,
  'accounts.forgotPassword': everyone,
  'accounts.resetPassword': everyone,
  'accounts.acceptInvitation': everyone,
  'accounts.verifyEmail': everyone,
  'accounts.confirmEmailChange': signedIn,
  'accounts.changePassword': signedIn,
  'accounts.sessions': signedIn,
  'accounts.endSession': own,
  'accounts.signOutEverywhere': signedIn,
  'accounts.requestEmailChange': signedIn,
  'accounts.requestMobileChange': signedIn,
  'accounts.confirmMobileChange': signedIn,

  // Returns null when no one is signed in.
  'users.me': everyone,
  'users.updateMe': signedIn,
  'users.setLanguage': signedIn,
  'users.removePhoto': signedIn,
  'users.deleteMe': signedIn,
  'users.ownObligations': signedIn,
  'users.savedAddresses': signedIn,
  'users.savedViews': signedIn,
  'users.saveView': signedIn,
  'users.addAddress': signedIn,
  'users.renameAddress': own,
  'users.removeAddress': own,
  'users.notifications': signedIn,
  'users.readNotifications': signedIn,
  'users.setPushToken': signedIn,
  'users.removePushToken': signedIn,
  'users.wallet': signedIn,
  'devices.key': everyone,
  'devices.list': signedIn,
  'devices.register': signedIn,
  'devices.forget': signedIn,
  'devices.remove': own,
  'devices.preferences': signedIn,
  'devices.setPreferences': signedIn,
  'devices.test': signedIn,
  'earnings.period': driver,
  'earnings.lines': driver,
  'users.callers': admin,
  'users.list': backOffice,
  'users.count': backOffice,
  'users.get': { user: ['fleetadmin', 'admin'] },
  'users.create': { ...backOffice, critical: true },
  'users.update': { user: ['fleetadmin', 'admin'] },
  'users.obligations': { user: ['fleetadmin', 'admin'] },
  'users.remove': { user: ['fleetadmin', 'admin'], critical: true },
  'users.approve': { user: ['admin'] },
  'users.disapprove': { user: ['admin'] },
  'users.change_type': { user: ['admin'], critical: true },
  'users.correct_contact': { user: ['admin'], critical: true },
  'users.phoneCollisions': admin,
  'users.assign_fleet': { user: ['admin'] },
  'users.invite': { user: ['fleetadmin', 'admin'] },

  'mailbox.list': { who: ['admin'], signedOut: 'not_found' },
  'mailbox.page': { who: ['admin'], signedOut: 'not_found' },
  'messages.preferences': rider,
  'messages.setPreferences': rider,

  // Finds only what the actor may see.
  'search.find': approved,

  'reports.dashboard': backOffice,
  'reports.drivers': backOffice,
  'reports.driversCount': backOffice,
  'reports.driverTotals': backOffice,
  'reports.earnings': { who: ['admin'] },
  'reports.operations': backOffice,

  'audit.list': { who: ['admin'] },
  'audit.count': { who: ['admin'] },

  'payments.order': own,
  'payments.topUp': { who: ['rider', 'driver'] },
  'payments.show': own,
  'payments.complete': own,
  'payments.giveUp': own,
  'payments.ofBooking': { booking: ['rider', 'admin'] },
  'payments.services': admin,
  'payments.list': admin,
  'payments.count': admin,
  'wallet.credit': { who: ['admin'], critical: true },
  'wallet.debit': { who: ['admin'], critical: true },
  'wallet.adjustments': { who: ['admin'] },
  'wallet.reverseAdjustment': { who: ['admin'], critical: true },
  'wallet.cash': { who: ['admin'] },
  'wallet.receiveCash': { who: ['admin'], critical: true },
  'wallet.reverseCash': { who: ['admin'], critical: true },
  'wallet.bankCash': { who: ['admin'], critical: true },
  'wallet.waive': { who: ['admin'], critical: true },
  'withdraws.list': { who: ['admin'] },
  'withdraws.count': { who: ['admin'] },
  'withdraws.requestFor': { who: ['admin'], critical: true },
  'withdraws.process': { who: ['admin'], critical: true },
  'withdraws.refuse': { who: ['admin'], critical: true },
  // Users without withdrawals get an empty list.
  'withdraws.own': signedIn,
  'withdraws.takeBack': { who: ['rider', 'driver'] },
  'withdraws.request': { who: ['rider', 'driver'] },
  'receipts.show': { booking: ['rider', 'admin'] },
  'receipts.mail': { booking: ['rider', 'admin'] },
  'refunds.ofBooking': admin,
  'refunds.ofPayment': admin,
  'refunds.ask': critical,
  'refunds.settle': critical,
  'refunds.record': critical,
  'refunds.setFee': critical,
  'refunds.settlePayment': critical,
  'refunds.list': admin,
  'refunds.count': admin,
  'ledger.list': { who: ['admin'] },
  'ledger.count': { who: ['admin'] },
  'ledger.sums': { who: ['admin'] },
  'ledger.lastCheck': admin,
  'ledger.check': admin,
  'failedWork.list': admin,
  'failedWork.retry': critical,
  'failedWork.discard': critical,
  'alerts.counts': backOffice,
  'alerts.mail': backOffice,
  'alerts.setMail': backOffice,

  'setup.state': everyone,
  'setup.create': everyone,

  'functions.getAddress': bearer,
  'functions.getDriveTime': bearer,
  'functions.getMultiLocTime': bearer,
  'functions.autocomplete': bearer,
  'functions.getCoords': bearer,
  'functions.getRoute': bearer,
  'functions.sendNotification': signedIn,
  'functions.getProviders': everyone,
  'functions.validateReferrer': everyone,
  'functions.checkUserExists': everyone,
  'functions.userSignUp': everyone,
} as const satisfies Record<string, RouteRule>

export type RouteName = keyof typeof routes

/** Routes outside the contract, by method and path, with their rules. Their handlers check the rule themselves. */
export const plainRoutes = {
  'GET /openapi.json': everyone,
  'GET /healthz': everyone,
  // The token of the configuration is the permission.
  'GET /metrics': everyone,
  'GET /manifest.webmanifest': everyone,
  'GET /api/v1/tiles.json': everyone,
  'GET /api/v1/tiles/:version/:z/:x/:y.mvt': everyone,
  // The signed URL is the permission.
  'GET /files/*': everyone,
  // The token of the link is the permission.
  'GET /api/v1/track/:id/photo': everyone,
  'GET /api/v1/track/:id/signature': everyone,
  'GET /api/v1/unsubscribe/:token': everyone,
  'POST /api/v1/unsubscribe/:token': everyone,
  // The signature of the voice service is checked.
  'POST /api/v1/voice/calls': everyone,
  'POST /api/v1/uploads/licence': everyone,
  'GET /api/auth/social/:provider': everyone,
  'GET /api/auth/callback/:provider': everyone,
  'POST /api/auth/callback/:provider': everyone,
  'GET /api/v1/me/data': signedIn,
  // Each table defines its own access, and whether a demo exports it.
  'GET /api/v1/exports/:table': approved,
  // Of the rider's own booking.
  'GET /api/v1/bookings/:id/receipt.pdf': { who: ['rider', 'admin'] },
  'GET /api/v1/bookings/:id/labels.pdf': senders,
  'GET /api/v1/me/imports/:id/labels.pdf': senders,
  'PUT /api/v1/me/photo': signedIn,
  // For a fleet admin only of their own drivers, which the command checks.
  'PUT /api/v1/users/:id/licence': { who: ['fleetadmin', 'admin'] },
  'PUT /api/v1/bookings/:id/pickup_image': courier,
  'GET /api/v1/bookings/:id/pickup_image': proofViewers,
  'PUT /api/v1/bookings/:id/deliver_image': courier,
  'GET /api/v1/bookings/:id/deliver_image': proofViewers,
  'PUT /api/v1/bookings/:id/stops/:n/deliver_image': courier,
  'GET /api/v1/bookings/:id/stops/:n/deliver_image': proofViewers,
  'PUT /api/v1/bookings/:id/stops/:n/signature': courier,
  'GET /api/v1/bookings/:id/stops/:n/signature': proofViewers,
  'POST /api/v1/bookings/:id/chat/photos': chatters,
  'GET /api/v1/bookings/:id/chat/photos/:photo': {
    ...chatters,
    booking: ['rider', 'driver', 'admin'],
  },
  'GET /api/v1/car-types/:id/images/:at': everyone,
  'PUT /api/v1/car-types/:id/image': { ...admin, critical: true },
  // The form of the payer's own order. Returning browsers arrive without their session, and providers have none.
  'POST /pay/:provider': { who: ['rider', 'driver'] },
  'GET /pay/:provider/return/:payment': everyone,
  'POST /pay/:provider/return/:payment': everyone,
  'GET /pay/:provider/webhook': everyone,
  'POST /pay/:provider/webhook': everyone,
  'GET /api/v1/users/:id/photo': { who: ['rider', 'driver', 'fleetadmin', 'admin'] },
} as const satisfies Record<string, RouteRule>

/**
 * Who may call a route. `who` names everyone, all signed-in users (including unapproved ones), or user types; `booking`
 * and `user` name the required relation to the booking or user in the path. A forbidden subject gets the same response
 * as a missing one.
 */
export type RouteRule = {
  /** The only category whose installations have the route; both when omitted. */
  only?: Settings['category']
  /** The only category in which the route exists for a user type. */
  onlyIn?: Partial<Record<Role, Settings['category']>>
  /** The path must name something the caller owns; anything else does not exist for them. */
  own?: true
  /** Open to users who wait for approval, too. */
  waiting?: true
  /** Error key for signed-out callers instead of not_logged_in. */
  signedOut?: ErrorKey
  /** Error key instead of not_found. */
  absent?: ErrorKey
  /** Error key by user type instead of not_found. */
  others?: Partial<Record<Role, ErrorKey>>
  /** A critical edit: refused while settings.AllowCriticalEditsAdmin is off. */
  critical?: true
} & (
  | { who: 'everyone' | 'signed in' | readonly Role[] }
  | { booking: readonly Relation[] }
  | { user: readonly UserRelation[] }
)

const typeOf: Record<Relation | UserRelation, Role | null> = {
  rider: 'rider',
  driver: 'driver',
  requested: 'driver',
  fleetadmin: 'fleetadmin',
  admin: 'admin',
  self: null,
}

/** The refusal that does not depend on the subject of the call, checked before input validation. Null: continue. */
export function refusalBeforeInput(rule: RouteRule, actor: Actor | null): ErrorKey | null {
  if ('who' in rule && rule.who === 'everyone') return null
  if (actor === null) return rule.signedOut ?? 'not_logged_in'
  if ('who' in rule && rule.who === 'signed in') return null
  if (!actor.approved && !rule.waiting) return 'require_approval'
  if (allowedTypes(rule).includes(actor.role)) return null
  // A special error key comes later, from the check that knows the relation.
  return rule.others?.[actor.role] === undefined ? (rule.absent ?? 'not_found') : null
}

/** The refusal of a route that installations of the category lack, for everyone or for users like the caller. Checked first. */
export function refusalInCategory(
  { only, onlyIn }: RouteRule,
  { category }: Pick<Settings, 'category'>,
  role: Role | undefined,
): ErrorKey | null {
  const needed = only ?? (role && onlyIn?.[role])
  return needed === undefined || needed === category ? null : 'not_found'
}

/** The refusal while a demo blocks critical edits. Checked after permission. */
export function refusalOnDemo(
  { critical }: RouteRule,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): ErrorKey | null {
  return critical && !settings.AllowCriticalEditsAdmin ? 'demo_mode' : null
}

function allowedTypes(rule: RouteRule): readonly Role[] {
  if ('who' in rule) return typeof rule.who === 'string' ? everyType : rule.who
  const relations: readonly (Relation | UserRelation)[] = 'booking' in rule ? rule.booking : rule.user
  return everyType.filter((type) => relations.some((relation) => (typeOf[relation] ?? type) === type))
}

const everyType: readonly Role[] = ['rider', 'driver', 'fleetadmin', 'admin']

/**
 * The complete check of a rule: null when a user with this `relation` to the subject may continue, otherwise the
 * refusal. `relation` is null for a stranger.
 */
export function routeRefusal(
  rule: RouteRule,
  actor: Actor | null,
  relation: Relation | UserRelation | null,
): ErrorKey | null {
  const early = refusalBeforeInput(rule, actor)
  if (early !== null || actor === null) return early
  const isOther =
    'who' in rule
      ? (Array.isArray(rule.who) && !rule.who.includes(actor.role)) || (rule.own && relation !== 'self')
      : relation === null || !(Object.values(rule).flat() as unknown[]).includes(relation)
  return isOther ? (rule.others?.[actor.role] ?? rule.absent ?? 'not_found') : null
}
