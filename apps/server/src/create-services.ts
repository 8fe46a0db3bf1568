import type { ServerBus } from './adapters/server-bus/port.ts'
import type { AppDeps } from './app-deps.ts'
import { createAccountsService } from './features/accounts/service.ts'
import { createSetupService } from './features/accounts/setup.ts'
import { createAlertsService } from './features/alerts/service.ts'
import { createAuditService } from './features/audit/service.ts'
import { callsPath } from './features/bookings/calls/answer-calls.ts'
import { createBookingsFeature } from './features/bookings/feature.ts'
import { sendTripMessages } from './features/bookings/messages/send-trip-messages.ts'
import { storeTripLines } from './features/bookings/tracking/trip-lines.ts'
import { createCancelReasonsAdmin, createCancelReasonsService } from './features/cancel-reasons/service.ts'
import { createCarTypesAdmin, createCarTypesService } from './features/car-types/service.ts'
import { createChatsAdmin } from './features/chats/admin.ts'
import { createOwnChats } from './features/chats/own-chats.ts'
import { createChatPhotosService } from './features/chats/photos.ts'
import { createChatsService } from './features/chats/service.ts'
import { createAddressBook } from './features/deliveries/address-book.ts'
import { createDeliveryClearing } from './features/deliveries/clear-deliveries.ts'
import { createImportsService } from './features/deliveries/imports.ts'
import { createLabelsService } from './features/deliveries/labels.ts'
import { createProofsService } from './features/deliveries/proofs.ts'
import { changeInstructions, correctRecipient, noteNotInformed } from './features/deliveries/recipients.ts'
import { createDemoService } from './features/demo/service.ts'
import { createDevicesService } from './features/devices/service.ts'
import { createDispatchRules } from './features/dispatch-rules/service.ts'
import { createEarningsService } from './features/earnings/service.ts'
import { createFailedWorkService } from './features/failed-work/service.ts'
import { createIntegrationsService } from './features/integrations/service.ts'
import { createLanguagesService } from './features/languages/service.ts'
import { createLedgerCheckService } from './features/ledger-check/service.ts'
import { createMailboxService } from './features/mailbox/service.ts'
import { createSendOnce } from './features/messages/send-once.ts'
import { createMessagesService } from './features/messages/service.ts'
import { createWriters } from './features/messages/write-messages.ts'
import { acceptsCurrency, configuredProviders as paymentProviders } from './features/payments/providers.ts'
import { createPaymentsService } from './features/payments/service.ts'
import { createPlacesService } from './features/places/service.ts'
import { createLicenceService } from './features/product-licence/service.ts'
import { createPromosAdmin, createPromosService } from './features/promos/service.ts'
import { createPushNotificationsService } from './features/push-notifications/service.ts'
import { createReceiptsService } from './features/receipts/service.ts'
import { createRefundsService } from './features/refunds/service.ts'
import { createReportsService } from './features/reports/service.ts'
import { createRetentionService } from './features/retention/service.ts'
import { createContacts } from './features/safety/contacts.ts'
import { createSafetyService } from './features/safety/service.ts'
import { createSearchService } from './features/search/service.ts'
import { createSettingsService } from './features/settings/service.ts'
import { publishTableChanges } from './features/table-changes/publish-table-changes.ts'
import { textCallers } from './features/trip-links/caller-texts.ts'
import { informRecipients } from './features/trip-links/inform-recipients.ts'
import { createTripLinksService } from './features/trip-links/service.ts'
import { createUserAdminService } from './features/users/admin/service.ts'
import { takeOverGuest } from './features/users/admin/take-over-guest.ts'
import { createProfileService } from './features/users/profile.ts'
import { createUsersService } from './features/users/service.ts'
import { createWalletAdminService } from './features/wallet/admin-service.ts'
import { createWalletService } from './features/wallet/service.ts'
import { createWithdrawsService } from './features/withdraws/service.ts'
import { systemClock } from './platform/clock/clock.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { LiveHub } from './platform/live/hub.ts'
import { TopicRegistry } from './platform/live/topics.ts'
import type { MessageCounts } from './platform/mailbox/message-counts.ts'
import type { Outbox } from './platform/outbox/outbox.ts'
import { createSheetWriter } from './platform/pdf/sheet-writer.ts'

/** Dependencies of the services in addition to the application's. */
export interface ServicesDeps extends AppDeps {
  bus: ServerBus
  topics: TopicRegistry
  outbox: Outbox
  jobs: Jobs
  hub: LiveHub
  messageCounts: MessageCounts
  /** Public URL of the site, without a trailing slash. */
  siteUrl(): string
}

export type Services = Awaited<ReturnType<typeof createServices>>

/** Creates all services, lower ranks first; each gets those it may use. */
export async function createServices(deps: ServicesDeps) {
  const { demo, publicUrl, dataDir, category, baseMap } = deps.config
  const cardAvailable = acceptsCurrency(deps.payments)
  const settings = createSettingsService({ ...deps, demo, baseMap, cardAvailable })
  const languages = createLanguagesService({ ...deps, settings })
  const licence = createLicenceService({ ...deps, settings })
  const carTypes = createCarTypesService(deps)
  const promos = createPromosService(deps)
  const cancelReasons = createCancelReasonsService(deps)
  const users = createUsersService({ ...deps, settings })
  const writers = createWriters(languages, settings)
  const sendOnce = createSendOnce(deps.database)
  const messages = createMessagesService({ ...deps, users })
  const contacts = createContacts({ ...deps, users, settings })
  const wallet = createWalletService(deps)
  const accounts = createAccountsService({
    ...deps,
    demo,
    publicUrl,
    settings,
    writers,
    checkLicence: licence.checkSignIn,
    numberProven: (tx, uid) => takeOverGuest({ ...deps, settings, wallet }, tx, uid),
    social: deps.config,
    reauthorize: (uid, why) => deps.hub.reauthorize(uid, why),
  })
  licence.watch(deps.jobs, (why) => accounts.sessions.endAllButAdmins(why))
  const dispatchRules = createDispatchRules(deps)
  const lower = { settings, carTypes, promos, users, wallet, cancelReasons, dispatchRules }
  const bookingsFeature = createBookingsFeature({
    ...deps,
    ...lower,
    cardAvailable,
    callNumbers: deps.voice && deps.voice.numbers,
  })
  const withdraws = createWithdrawsService({ ...deps, ...lower })
  const payments = createPaymentsService({
    ...deps,
    ...lower,
    bookings: bookingsFeature.bookings,
    providers: paymentProviders(deps.payments),
    worldNow: () => systemClock.now(),
  })
  const refunds = createRefundsService({ ...deps, ...lower, worldNow: () => systemClock.now() })
  publishTableChanges(deps)
  const places = createPlacesService({ ...deps, settings })
  const imports = createImportsService({ ...deps, ...lower, places, bookings: bookingsFeature.bookings })
  const clearing = createDeliveryClearing(deps)
  const addressBook = createAddressBook({ ...deps, users })
  const devices = createDevicesService({ ...deps, users, languages, pushHosts: deps.config.pushHosts })
  const chats = createChatsService({ ...deps, ...lower, languages, devices })
  const ownChats = createOwnChats({ ...deps, settings })
  const userAdmin = createUserAdminService({
    ...deps,
    ...lower,
    devices,
    ownChats,
    messagePreferences: messages.preferences,
    trustedContacts: contacts.contacts,
    clearing,
    addressBook,
    imports,
    withdraws,
    payments,
    accounts,
    bookings: bookingsFeature.bookings,
  })
  const proofs = createProofsService({ ...deps, bookings: bookingsFeature.bookings })
  const tripLinks = createTripLinksService({
    ...deps,
    ...bookingsFeature,
    changeInstructions: (...change) => changeInstructions(deps, ...change),
    correctRecipient: (...correction) => correctRecipient({ ...deps, settings }, ...correction),
    proofFile: proofs.file,
  })
  informRecipients({
    ...deps,
    settings,
    writers,
    demo,
    bookings: bookingsFeature.bookings,
    noteNotInformed: (...problem) => noteNotInformed(deps, ...problem),
  })
  const hasDevice = async (uid: string) => {
    const { devices: registered, muted } = await devices.own(uid)
    return registered.length > 0 && !muted.includes('trip')
  }
  const writing = { writers, sendOnce, preferences: messages, carTypes, cancelReasons, users }
  sendTripMessages({
    ...deps,
    ...writing,
    bookings: bookingsFeature.bookings,
    hasDevice,
  })
  textCallers({
    ...deps,
    ...writing,
    hasDevice,
    settings,
    tripLinks,
    bookings: bookingsFeature.bookings,
  })
  const pdf = createSheetWriter()
  const failedWork = createFailedWorkService(deps)
  return {
    ...lower,
    accounts,
    messages,
    writers,
    profile: createProfileService(deps),
    userAdmin,
    payments,
    search: createSearchService({ ...deps, users: userAdmin, bookings: bookingsFeature.bookings }),
    languages,
    licence,
    integrations: createIntegrationsService({
      ...deps,
      writers,
      configured: configuredProviders(deps),
      testPush: (uid) => devices.probe(uid),
      callsUrl: () => `${deps.siteUrl()}${callsPath}`,
    }),
    carTypesAdmin: createCarTypesAdmin({ ...deps, carTypes }),
    promosAdmin: createPromosAdmin({ ...deps, settings }),
    dispatchRules,
    cancelReasonsAdmin: createCancelReasonsAdmin({ ...deps, cancelReasons }),
    places,
    imports,
    mailbox: createMailboxService({ ...deps, settings, demo }),
    bookingsFeature,
    proofs,
    addressBook,
    labels: createLabelsService({ ...deps, languages, pdf, bookings: bookingsFeature.bookings }),
    tripLinks,
    chats,
    chatPhotos: createChatPhotosService({ ...deps, settings, chats }),
    chatsAdmin: createChatsAdmin({ ...deps, ...lower }),
    contacts,
    safety: createSafetyService({
      ...deps,
      ...bookingsFeature,
      settings,
      users,
      demo,
      writers,
      sendOnce,
      messages,
      tripLinks,
      contacts,
    }),
    reports: createReportsService({ ...deps, settings }),
    earnings: createEarningsService({ ...deps, settings }),
    audit: createAuditService({ ...deps, ...lower }),
    retention: createRetentionService({
      ...deps,
      retention: deps.config.retention,
      keepTripLines: (partition, after) => storeTripLines(deps.database, partition, after),
      forgetShown: () => devices.forgetShown(),
      clearDeliveries: (before, limit) => clearing.clearEnded(before, limit),
      clearChats: (before, limit) => ownChats.clearEnded(before, limit),
    }),
    walletAdmin: createWalletAdminService({ ...deps, ...lower }),
    failedWork,
    alerts: createAlertsService({
      ...deps,
      ...lower,
      writers,
      failedWork,
      worldNow: () => systemClock.now(),
    }),
    ledgerCheck: createLedgerCheckService({ ...deps, settings }),
    refunds,
    receipts: createReceiptsService({
      ...deps,
      ...lower,
      languages,
      writers,
      sendOnce,
      preferences: messages,
      refunds,
      bookings: bookingsFeature.bookings,
      pdf,
    }),
    withdraws,
    devices,
    pushNotifications: createPushNotificationsService({ ...deps, ...lower, devices }),
    setup: createSetupService({ ...deps, demo, accounts, languages, cancelReasons, settings }),
    demo: createDemoService({ ...deps, ...lower, dataDir, category, accounts, cardAvailable }),
  }
}

function configuredProviders({ config, licence, voice }: AppDeps) {
  const { mail, sms, objectStorage, facebook, apple } = config
  return {
    mail: mail !== null,
    sms: sms !== null,
    // Browsers need no configuration: the keys are generated.
    push: true,
    voice: voice !== null,
    storage: objectStorage !== null,
    facebook: facebook !== null,
    apple: apple !== null,
    licence: licence.isConfigured,
  }
}
