import { CheckoutScreen } from '../features/checkout/checkout-screen.tsx'
import { OrderChooser } from '../features/payments/provider-chooser.tsx'

/** A card payment attempt; if it fails, offers every provider that can take the order. */
export function CheckoutPage() {
  return <CheckoutScreen chooser={(order, tried) => <OrderChooser order={order} tried={tried} />} />
}
