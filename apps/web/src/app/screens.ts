import type { Role } from '@hansom/domain/users/roles'
import type { ComponentType } from 'react'

export interface Screen {
  path: string
  /** Who may open it; everyone when absent. */
  roles?: readonly Role[]
  /** `public` has the site's header and footer, `app` the bar of signed-in pages. */
  shell: 'public' | 'app'
  /** Key of the document title; the app's name alone when absent. */
  title?: string
  /** Key of its entry in the menu of signed-in pages. */
  menu?: string
  /** On a demo alone. */
  demo?: true
  load: () => Promise<ComponentType>
}

const everyone: readonly Role[] = ['rider', 'driver', 'fleetadmin', 'admin']

/** Every page: its address, who may open it, where it stands in the menu, and its code, loaded when needed. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    shell: 'public',
    menu: 'common.home',
    load: async () => (await import('../features/landing/landing-screen.tsx')).LandingScreen,
  },
  {
    path: '/login',
    shell: 'public',
    title: 'auth.sign_in',
    load: async () => (await import('../features/login/login-screen.tsx')).LoginScreen,
  },
  {
    path: '/register',
    shell: 'public',
    title: 'register.title',
    load: async () => (await import('../features/register/register-screen.tsx')).RegisterScreen,
  },
  {
    path: '/reset-password',
    shell: 'public',
    title: 'password.reset_title',
    load: async () => (await import('../features/password/reset-password-screen.tsx')).ResetPasswordScreen,
  },
  {
    path: '/invitation',
    shell: 'public',
    title: 'password.invitation_page',
    load: async () => (await import('../features/password/invitation-screen.tsx')).InvitationScreen,
  },
  {
    path: '/verify-email',
    shell: 'public',
    title: 'password.verify_title',
    load: async () => (await import('../features/password/verify-email-screen.tsx')).VerifyEmailScreen,
  },
  {
    path: '/confirm-email',
    shell: 'public',
    title: 'password.change_email_title',
    load: async () => (await import('../features/password/confirm-email-screen.tsx')).ConfirmEmailScreen,
  },
  {
    path: '/setup',
    shell: 'public',
    title: 'auth.setup_title',
    load: async () => (await import('../features/setup/setup-screen.tsx')).SetupScreen,
  },
  {
    path: '/about-us',
    shell: 'public',
    title: 'static.about_title',
    load: async () => (await import('../features/static/about-screen.tsx')).AboutScreen,
  },
  {
    path: '/privacy-policy',
    shell: 'public',
    title: 'static.privacy_title',
    load: async () => (await import('../features/static/privacy-screen.tsx')).PrivacyScreen,
  },
  {
    path: '/bookings',
    roles: everyone,
    shell: 'app',
    title: 'common.nav_bookings',
    menu: 'common.nav_bookings',
    load: async () => (await import('./bookings-page.tsx')).BookingsPage,
  },
  {
    path: '/trip/$id',
    roles: everyone,
    shell: 'app',
    load: async () => (await import('../features/trip/trip-screen.tsx')).TripScreen,
  },
  {
    path: '/profile',
    roles: everyone,
    shell: 'app',
    title: 'auth.profile',
    menu: 'auth.profile',
    load: async () => (await import('../features/profile/profile-screen.tsx')).ProfileScreen,
  },
  {
    path: '/outbox',
    roles: ['admin'],
    shell: 'app',
    title: 'outbox.title',
    menu: 'outbox.title',
    demo: true,
    load: async () => (await import('../features/outbox/outbox-screen.tsx')).OutboxScreen,
  },
]
