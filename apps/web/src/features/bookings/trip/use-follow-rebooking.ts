import type { BookingView } from '@hansom/contract/bookings'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { announce } from '../../../ui/announcer.tsx'

/** When a driver gives a trip back, the rider's page goes on with the booking that took its place. */
export function useFollowRebooking(view: BookingView | undefined): void {
  const { t } = useText()
  const navigate = useNavigate()
  const next = view?.viewer === 'rider' ? view.rebooked_as : null
  useEffect(() => {
    if (!next) return
    announce(t('trip.following'))
    void navigate({ to: '/trip/$id', params: { id: next }, replace: true })
  }, [next, navigate, t])
}
