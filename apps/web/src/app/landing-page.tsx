import { BookingHero } from '../features/bookings/form/booking-hero.tsx'
import { AppBanner } from '../features/landing/app-banner.tsx'
import { Highlights } from '../features/landing/highlights.tsx'
import { useText } from '../lib/i18n.ts'
import { useMe } from '../lib/session.ts'
import classes from './landing-page.module.css'

/**
 * The landing page: booking for visitors, riders and admins, plus marketing for visitors; only the slogan for everyone
 * else.
 */
export function LandingPage() {
  const { t } = useText()
  const me = useMe()
  const role = me?.usertype
  const books = role === undefined || role === 'rider' || role === 'admin'
  if (!books) {
    return (
      <section className={classes.sloganOnly}>
        <h1>{t('landing.slogan')}</h1>
      </section>
    )
  }
  return (
    <>
      {/* A user who signs out leaves no recipients on the page. */}
      <BookingHero key={me?.uid} />
      {me ? null : (
        <>
          <Highlights />
          <AppBanner />
        </>
      )}
    </>
  )
}
