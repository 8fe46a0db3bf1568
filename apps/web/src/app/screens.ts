import type { ScreenPath } from '@hansom/domain/access/screens'
import type { Category } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'
import type { ComponentType } from 'react'
import type { LazyPart } from '../ui/lazy-part.tsx'
import type { MenuOptions } from './menu.ts'
import {
  AdminBookingsPage,
  AlertsSection,
  DriverCancelDialog,
  DriverConsole,
  RefundDialog,
  RiderBookings,
} from './role-parts.ts'

export interface Screen {
  /** domain/access/screens defines who may open it. */
  path: ScreenPath
  /** Text key of the document title; defaults to the app's name. */
  title?: string
  /** Its menu entry, for roles that may open it. */
  menu?: MenuOptions
  /** Available on a demo only. */
  demo?: true
  /** Exists in installations of this category only. */
  only?: Category
  load: () => Promise<ComponentType>
  /** A part for one role only; its code loads together with the page's. */
  forRole?: Partial<Record<Role, Pick<LazyPart<object>, 'load'>>>
}

/** Pages with the site's header and footer. */
const publicScreens = [
  '/login',
  '/register',
  '/reset-password',
  '/invitation',
  '/verify-email',
  '/confirm-email',
  '/confirm-mobile',
  '/setup',
  '/about-us',
  '/privacy-policy',
  '/track/$token',
] as const satisfies readonly ScreenPath[]

/**
 * `public` has the site's header and footer, `app` the frame of signed-in pages, `home` one of the two depending on the
 * session.
 */
export type ShellOf<Path extends ScreenPath> = Path extends '/'
  ? 'home'
  : Path extends (typeof publicScreens)[number]
    ? 'public'
    : 'app'

export function shellOf<Path extends ScreenPath>(path: Path): ShellOf<Path>
export function shellOf(path: ScreenPath): ShellOf<ScreenPath> {
  if (path === '/') return 'home'
  return publicScreens.some((publicPath) => publicPath === path) ? 'public' : 'app'
}

/**
 * All pages with path, menu entry and lazy-loaded code. Rows are in menu order: home, dashboard, bookings, dispatch, wallet,
 * addbookings, riders, drivers, fleetadmins, alladmin, cartypes, cancelreasons, earningreports, driverearning,
 * addtowallet, withdraws, appinfo, settings, languagesetting and other admin pages, promos, notifications, profile. A
 * page in a group says so: `menu: { icon: 'riders', group: 'users' }`. The entry uses the page's title unless `label`
 * is set.
 */
export const screens: readonly Screen[] = [
  {
    path: '/',
    menu: { icon: 'home', label: 'common.home' },
    load: async () => (await import('./landing-page.tsx')).LandingPage,
  },
  {
    path: '/login',
    title: 'auth.sign_in',
    load: async () => (await import('../features/accounts/login/login-screen.tsx')).LoginScreen,
  },
  {
    path: '/register',
    title: 'register.title',
    load: async () => (await import('../features/accounts/register/register-screen.tsx')).RegisterScreen,
  },
  {
    path: '/reset-password',
    title: 'password.reset_title',
    load: async () =>
      (await import('../features/accounts/recovery/recovery-screens.tsx')).ResetPasswordScreen,
  },
  {
    path: '/invitation',
    title: 'password.invitation_page',
    load: async () => (await import('../features/accounts/recovery/recovery-screens.tsx')).InvitationScreen,
  },
  {
    path: '/verify-email',
    title: 'password.verify_title',
    load: async () => (await import('../features/accounts/recovery/recovery-screens.tsx')).VerifyEmailScreen,
  },
  {
    path: '/confirm-email',
    title: 'password.change_email_title',
    load: async () => (await import('../features/accounts/recovery/recovery-screens.tsx')).ConfirmEmailScreen,
  },
  {
    path: '/confirm-mobile',
    title: 'password.mobile_title',
    load: async () =>
      (await import('../features/accounts/recovery/recovery-screens.tsx')).ConfirmMobileScreen,
  },
  {
    path: '/setup',
    title: 'auth.setup_title',
    load: async () => (await import('../features/accounts/setup-screen.tsx')).SetupScreen,
  },
  {
    path: '/about-us',
    title: 'static.about_title',
    load: async () => (await import('../features/static/static-screens.tsx')).AboutScreen,
  },
  {
    path: '/privacy-policy',
    title: 'static.privacy_title',
    load: async () => (await import('../features/static/static-screens.tsx')).PrivacyScreen,
  },
  {
    path: '/track/$token',
    title: 'trip.shared_title',
    load: async () => (await import('../features/bookings/trip/shared-trip-screen.tsx')).SharedTripScreen,
  },
  {
    path: '/dashboard',
    title: 'menu.dashboard',
    menu: { icon: 'dashboard' },
    load: async () => (await import('../features/dashboard/dashboard-screen.tsx')).DashboardScreen,
  },
  {
    path: '/safety',
    title: 'alarms.title',
    menu: { icon: 'safety', label: 'menu.safety' },
    load: async () => (await import('../features/safety/safety-screen.tsx')).SafetyScreen,
  },
  {
    path: '/operations',
    title: 'menu.operations',
    menu: { icon: 'operations' },
    load: async () => (await import('../features/reports/operations-screen.tsx')).OperationsScreen,
  },
  {
    path: '/bookings',
    title: 'common.nav_bookings',
    menu: { icon: 'bookings', label: 'menu.bookings' },
    load: async () => (await import('./bookings-page.tsx')).BookingsPage,
    forRole: {
      rider: RiderBookings,
      driver: DriverConsole,
      admin: AdminBookingsPage,
      fleetadmin: AdminBookingsPage,
    },
  },
  {
    path: '/deliveries',
    title: 'parcels.title',
    menu: { icon: 'parcels' },
    only: 'delivery',
    load: async () => (await import('../features/deliveries/parcels-screen.tsx')).ParcelsScreen,
  },
  {
    path: '/dispatch',
    title: 'dispatch.title',
    menu: { icon: 'dispatch' },
    load: async () => (await import('../features/dispatch/dispatch-screen.tsx')).DispatchScreen,
  },
  {
    path: '/wallet',
    title: 'wallet.title',
    menu: { icon: 'wallet' },
    load: async () => (await import('./wallet-page.tsx')).WalletPage,
  },
  {
    path: '/earnings',
    title: 'earnings.title',
    menu: { icon: 'earnings' },
    load: async () => (await import('../features/earnings/earnings-screen.tsx')).EarningsScreen,
  },
  {
    path: '/addbookings',
    title: 'booking.add_title',
    menu: { icon: 'addBooking', label: 'menu.add_booking' },
    load: async () => (await import('../features/bookings/form/add-booking-screen.tsx')).AddBookingScreen,
  },
  {
    path: '/riders',
    title: 'users.riders',
    menu: { icon: 'riders', group: 'users' },
    load: async () => (await import('../features/users/admin/users-screens.tsx')).RidersScreen,
  },
  {
    path: '/drivers',
    title: 'users.drivers',
    menu: { icon: 'drivers', group: 'users' },
    load: async () => (await import('../features/users/admin/users-screens.tsx')).DriversScreen,
  },
  {
    path: '/fleetadmins',
    title: 'users.fleetadmins',
    menu: { icon: 'fleetadmins', group: 'users' },
    load: async () => (await import('../features/users/admin/users-screens.tsx')).FleetadminsScreen,
  },
  {
    path: '/alladmin',
    title: 'users.admins',
    menu: { icon: 'admins', group: 'users', label: 'menu.all_admins' },
    load: async () => (await import('../features/users/admin/users-screens.tsx')).AdminsScreen,
  },
  {
    path: '/cartypes',
    title: 'carTypes.title',
    menu: { icon: 'carTypes' },
    load: async () => (await import('../features/car-types/car-types-screen.tsx')).CarTypesScreen,
  },
  {
    path: '/cancelreasons',
    title: 'cancelReasons.title',
    menu: { icon: 'cancelReasons' },
    load: async () =>
      (await import('../features/cancel-reasons/cancel-reasons-screen.tsx')).CancelReasonsScreen,
  },
  {
    path: '/trip/$id',
    load: async () => (await import('./trip-page.tsx')).TripPage,
    forRole: { admin: RefundDialog, driver: DriverCancelDialog },
  },
  {
    path: '/receipt/$id',
    title: 'receipts.title',
    load: async () => (await import('../features/receipts/receipt-screen.tsx')).ReceiptScreen,
  },
  {
    path: '/checkout',
    title: 'payments.refused_title',
    load: async () => (await import('../features/checkout/refused-screen.tsx')).RefusedScreen,
  },
  {
    path: '/checkout/$provider/$payment',
    load: async () => (await import('./checkout-page.tsx')).CheckoutPage,
  },
  {
    path: '/earningreports',
    title: 'menu.earning_reports',
    menu: { icon: 'reports', group: 'wallet' },
    load: async () => (await import('../features/reports/earning-reports-screen.tsx')).EarningReportsScreen,
  },
  {
    path: '/driverearning',
    title: 'menu.driver_earning',
    menu: { icon: 'earnings', group: 'wallet', labelFor: { fleetadmin: 'menu.earning_reports' } },
    load: async () => (await import('../features/reports/driver-earning-screen.tsx')).DriverEarningScreen,
  },
  {
    path: '/addtowallet',
    title: 'menu.add_to_wallet',
    menu: { icon: 'addToWallet', group: 'wallet' },
    load: async () => (await import('../features/wallet/add-to-wallet-screen.tsx')).AddToWalletScreen,
  },
  {
    path: '/withdraws',
    title: 'menu.withdraws',
    menu: { icon: 'withdraws', group: 'wallet' },
    load: async () => (await import('../features/withdraws/withdraws-screen.tsx')).WithdrawsScreen,
  },
  {
    path: '/ledger',
    title: 'wallet.ledger',
    menu: { icon: 'ledger', group: 'wallet' },
    load: async () => (await import('../features/wallet/ledger-screen.tsx')).LedgerScreen,
  },
  {
    path: '/payments',
    title: 'refunds.tab_payments',
    menu: { icon: 'cardPayments', group: 'wallet' },
    load: async () => (await import('../features/payments/card-payments-screen.tsx')).CardPaymentsScreen,
  },
  {
    path: '/disputes',
    title: 'refunds.title',
    menu: { icon: 'disputes', group: 'wallet' },
    load: async () => (await import('../features/refunds/disputes-screen.tsx')).DisputesScreen,
  },
  {
    path: '/appinfo',
    title: 'menu.app_info',
    menu: { icon: 'appInfo', group: 'settings' },
    load: async () => (await import('../features/settings/app-info-screen.tsx')).AppInfoScreen,
  },
  {
    path: '/settings',
    title: 'menu.general_settings',
    menu: { icon: 'settings', group: 'settings' },
    load: async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
  },
  {
    path: '/dispatchrules',
    title: 'dispatchRules.title',
    menu: { icon: 'dispatchRules', group: 'settings' },
    load: async () =>
      (await import('../features/dispatch-rules/dispatch-rules-screen.tsx')).DispatchRulesScreen,
  },
  {
    path: '/languagesetting',
    title: 'menu.language',
    menu: { icon: 'languages', group: 'settings' },
    load: async () => (await import('../features/languages/languages-screen.tsx')).LanguagesScreen,
  },
  {
    path: '/audit',
    title: 'audit.title',
    menu: { icon: 'audit', group: 'settings' },
    load: async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen,
  },
  {
    path: '/mailbox',
    title: 'mailbox.title',
    menu: { icon: 'mailbox', group: 'settings' },
    demo: true,
    load: async () => (await import('../features/mailbox/mailbox-screen.tsx')).MailboxScreen,
  },
  {
    path: '/promos',
    title: 'promos.title',
    menu: { icon: 'promos' },
    load: async () => (await import('../features/promos/promos-screen.tsx')).PromosScreen,
  },
  {
    path: '/notifications',
    title: 'pushNotifications.title',
    menu: { icon: 'notifications' },
    load: async () =>
      (await import('../features/push-notifications/push-notifications-screen.tsx')).PushNotificationsScreen,
  },
  {
    path: '/profile',
    title: 'auth.profile',
    menu: { icon: 'profile' },
    load: async () => (await import('./profile-page.tsx')).ProfilePage,
    forRole: { admin: AlertsSection, fleetadmin: AlertsSection },
  },
]
