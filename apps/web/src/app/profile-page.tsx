import { Suspense } from 'react'
import { ProfileScreen } from '../features/users/profile/profile-screen.tsx'
import { AlertsSection } from './role-parts.ts'

/** The user's profile, with the section of admins and fleet admins. */
export function ProfilePage() {
  return (
    <ProfileScreen
      alerts={
        <Suspense fallback={null}>
          <AlertsSection />
        </Suspense>
      }
    />
  )
}
