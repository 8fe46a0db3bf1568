import type alarms from './packs/en/alarms.json'
import type alert from './packs/en/alert.json'
import type audit from './packs/en/audit.json'
import type auth from './packs/en/auth.json'
import type booking from './packs/en/booking.json'
import type bookingTexts from './packs/en/bookingTexts.json'
import type cancelReasons from './packs/en/cancelReasons.json'
import type carTypes from './packs/en/carTypes.json'
import type chat from './packs/en/chat.json'
import type chatButton from './packs/en/chatButton.json'
import type chatReading from './packs/en/chatReading.json'
import type common from './packs/en/common.json'
import type contacts from './packs/en/contacts.json'
import type courier from './packs/en/courier.json'
import type dashboard from './packs/en/dashboard.json'
import type decisions from './packs/en/decisions.json'
import type delivery from './packs/en/delivery.json'
import type dispatch from './packs/en/dispatch.json'
import type dispatchRules from './packs/en/dispatchRules.json'
import type driver from './packs/en/driver.json'
import type earnings from './packs/en/earnings.json'
import type error from './packs/en/error.json'
import type exports from './packs/en/exports.json'
import type form from './packs/en/form.json'
import type history from './packs/en/history.json'
import type landing from './packs/en/landing.json'
import type language from './packs/en/language.json'
import type login from './packs/en/login.json'
import type mail from './packs/en/mail.json'
import type mailbox from './packs/en/mailbox.json'
import type map from './packs/en/map.json'
import type menu from './packs/en/menu.json'
import type notification from './packs/en/notification.json'
import type notify from './packs/en/notify.json'
import type palette from './packs/en/palette.json'
import type parcelForm from './packs/en/parcelForm.json'
import type parcels from './packs/en/parcels.json'
import type password from './packs/en/password.json'
import type payments from './packs/en/payments.json'
import type profile from './packs/en/profile.json'
import type promos from './packs/en/promos.json'
import type push from './packs/en/push.json'
import type pushNotifications from './packs/en/pushNotifications.json'
import type receipts from './packs/en/receipts.json'
import type recipient from './packs/en/recipient.json'
import type refunds from './packs/en/refunds.json'
import type register from './packs/en/register.json'
import type reports from './packs/en/reports.json'
import type safety from './packs/en/safety.json'
import type settings from './packs/en/settings.json'
import type staticPages from './packs/en/static.json'
import type table from './packs/en/table.json'
import type trip from './packs/en/trip.json'
import type unsent from './packs/en/unsent.json'
import type users from './packs/en/users.json'
import type wallet from './packs/en/wallet.json'

/** The English texts, by group file. */
interface Groups {
  alarms: typeof alarms
  alert: typeof alert
  audit: typeof audit
  auth: typeof auth
  booking: typeof booking
  bookingTexts: typeof bookingTexts
  cancelReasons: typeof cancelReasons
  carTypes: typeof carTypes
  chat: typeof chat
  chatButton: typeof chatButton
  chatReading: typeof chatReading
  contacts: typeof contacts
  common: typeof common
  courier: typeof courier
  dashboard: typeof dashboard
  decisions: typeof decisions
  delivery: typeof delivery
  dispatch: typeof dispatch
  dispatchRules: typeof dispatchRules
  driver: typeof driver
  earnings: typeof earnings
  error: typeof error
  exports: typeof exports
  form: typeof form
  history: typeof history
  landing: typeof landing
  language: typeof language
  login: typeof login
  mail: typeof mail
  map: typeof map
  menu: typeof menu
  notification: typeof notification
  notify: typeof notify
  mailbox: typeof mailbox
  palette: typeof palette
  parcelForm: typeof parcelForm
  parcels: typeof parcels
  password: typeof password
  payments: typeof payments
  profile: typeof profile
  promos: typeof promos
  push: typeof push
  pushNotifications: typeof pushNotifications
  receipts: typeof receipts
  recipient: typeof recipient
  refunds: typeof refunds
  register: typeof register
  reports: typeof reports
  safety: typeof safety
  settings: typeof settings
  static: typeof staticPages
  table: typeof table
  trip: typeof trip
  unsent: typeof unsent
  users: typeof users
  wallet: typeof wallet
}

/** A key as used in code: a counted text is named by its stem (`trip.stars` for `stars_one` and `stars_other`). */
type Named<Key extends string> = Key | (Key extends `${infer Stem}_other` ? Stem : never)

/** The keys of one group, without the group name. */
export type KeyIn<Group extends keyof Groups> = Named<keyof Groups[Group] & string>

/** Every key that `t` can translate, read from the English pack: an unknown key fails the type check. */
export type TextKey = { [Group in keyof Groups]: `${Group}.${KeyIn<Group>}` }[keyof Groups]
