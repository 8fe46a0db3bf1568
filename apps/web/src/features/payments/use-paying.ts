import type { BookingView } from '@hansom/contract/bookings'
import type { PaymentMode } from '@hansom/domain/bookings/choices'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { refreshMe } from '../../lib/session.ts'

interface Choice {
  id: string
  payment_mode: PaymentMode
  promo?: string | null
}

/** The wallet first: what is held of it must not count twice for a moment. */
async function store(view: BookingView): Promise<void> {
  await refreshMe().catch(() => {})
  storeBooking(view)
}

/** The commands of the payment dialog; each happens once, however often it is pressed. */
export function usePaying() {
  const choice = {
    mutationFn: (input: Choice) => idempotentCall('choose_payment', input, api.bookings.choose_payment),
    onSuccess: store,
  }
  return {
    choose: useMutation(choice),
    changePromo: useMutation(choice),
    payByWallet: useMutation({
      mutationFn: (id: string) => idempotentCall('pay_by_wallet', { id }, api.bookings.pay_by_wallet),
      onSuccess: store,
    }),
  }
}
