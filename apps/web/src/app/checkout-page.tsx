import { CheckoutScreen } from '../features/checkout/checkout-screen.tsx'
import { OrderChooser } from '../features/payments/order-chooser.tsx'

/** An attempt to pay by card; after a failed one, everybody who takes the order. */
export function CheckoutPage() {
  return <CheckoutScreen chooser={(order, tried) => <OrderChooser order={order} tried={tried} />} />
}
